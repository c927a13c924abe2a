/** How far loading the demo agency has come, kept beside the local database until everything is loaded. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoSize } from '../../demo/generate.ts'
import type { DemoProgress } from '../service/load-demo.ts'

/** A load that is not finished. */
export interface UnfinishedLoad {
  /** The process that is or was at it. */
  pid: number
  size: DemoSize
  progress: DemoProgress
}

/** The file that remembers a load. */
export class Journal {
  private readonly file: string

  /** @param folder the one that holds the local database: whoever deletes it begins anew */
  constructor(folder: string) {
    this.file = join(folder, 'demo-load.json')
  }

  /** The load that was begun and not finished, if there is one. */
  read(): UnfinishedLoad | null {
    return existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8')) : null
  }

  /** Whole or not at all, so that a killed process leaves nothing half written. */
  write(load: UnfinishedLoad): void {
    mkdirSync(join(this.file, '..'), { recursive: true })
    const draft = `${this.file}.${process.pid}`
    writeFileSync(draft, JSON.stringify(load))
    renameSync(draft, this.file)
  }

  remove(): void {
    rmSync(this.file, { force: true })
  }
}

/** Whether the process that wrote `load` is another one, and alive. */
export function isAtWork({ pid }: UnfinishedLoad): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

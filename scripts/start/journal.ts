/** Notes beside the local database that the demo agency is being loaded, until the load is complete. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DemoSize } from '../../demo/lines.ts'

/** A load that is not complete. */
export interface UnfinishedLoad {
  /** The process that loads or loaded. */
  pid: number
  size: DemoSize
}

/** The file with the note. */
export class Journal {
  private readonly file: string

  /** @param folder the folder of the local database, so that deleting it also deletes the note */
  constructor(folder: string) {
    this.file = join(folder, 'demo-load.json')
  }

  /** The unfinished load; null if there is none. */
  read(): UnfinishedLoad | null {
    return existsSync(this.file) ? JSON.parse(readFileSync(this.file, 'utf8')) : null
  }

  /** Writes atomically, so that a killed process leaves no partial file. */
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

/** Whether the process that wrote `load` is alive and not this one. */
export function isAtWork({ pid }: UnfinishedLoad): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

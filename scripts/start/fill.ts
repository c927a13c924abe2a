/** Fills an empty service with the demo agency, and continues after crashes of the server. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { DemoSize } from '../../demo/lines.ts'
import type { Service } from '../service/admin.ts'
import { isWithoutRecords } from '../service/export-parts.ts'
import { findObstacle, loadDemo } from '../service/load-demo.ts'
import type { Server } from './server.ts'

/** The part of the server that is needed here. */
type WatchedServer = Pick<Server, 'ready' | 'breakdowns' | 'answers'>

/** Time after a failed call in which a crash of the server may show, in ms. */
const BREAKDOWN_SHOWS_MS = 5_000

/** A load that is not complete, as a file beside the local database notes it until it is. */
interface UnfinishedLoad {
  /** The process that loads or loaded. */
  pid: number
  size: DemoSize
}

/** Waits for the server. If it is empty or partly loaded, loads the missing part of the demo agency. */
export async function fill(
  server: WatchedServer,
  service: Service,
  key: string,
  folder: string,
  size: DemoSize,
): Promise<void> {
  await server.ready
  const note = join(folder, 'demo-load.json')
  const isStillEmpty = await isWithoutRecords(service)
  // Read last, because another start may have left a load unfinished.
  const unfinished: UnfinishedLoad | null = existsSync(note) ? JSON.parse(readFileSync(note, 'utf8')) : null
  if (unfinished && isAtWork(unfinished)) {
    console.log(`Demo data: another process, ${unfinished.pid}, is loading it.`)
    return
  }
  const load = isStillEmpty ? { size } : unfinished
  if (!load) return
  const obstacle = isStillEmpty ? null : await findObstacle(service)
  if (obstacle) {
    console.error(`Demo data: not continued. ${obstacle}`)
    return rmSync(note, { force: true })
  }
  if (load === unfinished) console.log('Demo data: going on where the last start stopped.')
  writeNote(note, { pid: process.pid, size: load.size })
  await throughBreakdowns(server, service, () => loadDemo(service, key, load.size))
  rmSync(note, { force: true })
}

/** Runs `work`, and repeats it if the server crashed during it. */
async function throughBreakdowns(
  server: WatchedServer,
  { signal }: Service,
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const { breakdowns } = server
    try {
      return await work()
    } catch (error) {
      const deadline = Date.now() + BREAKDOWN_SHOWS_MS
      // A server that hangs is only detected when it does not reply.
      while (server.breakdowns === breakdowns && (Date.now() < deadline || !(await server.answers()))) {
        signal?.throwIfAborted()
        await wait(100)
      }
      if (server.breakdowns === breakdowns)
        throw new Error(`The demo agency is not loaded: ${error}. The next start goes on with it.`)
      await server.ready
    }
  }
}

/** Writes atomically, so that a killed process leaves no partial file. */
function writeNote(note: string, load: UnfinishedLoad): void {
  mkdirSync(join(note, '..'), { recursive: true })
  const draft = `${note}.${process.pid}`
  writeFileSync(draft, JSON.stringify(load))
  renameSync(draft, note)
}

/** Whether the process that wrote `load` is alive and not this one. */
function isAtWork({ pid }: UnfinishedLoad): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

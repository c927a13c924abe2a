/** Fills an empty service with the demo agency, through breakdowns of the server. */
import { setTimeout as wait } from 'node:timers/promises'
import type { DemoSize } from '../../demo/generate.ts'
import type { Service } from '../service/admin.ts'
import { findObstacle } from '../service/demo-records.ts'
import { isEmpty, loadDemo, NO_PROGRESS } from '../service/load-demo.ts'
import { isAtWork, Journal } from './journal.ts'
import type { Server } from './server.ts'

/** What has to be known of the server. */
type Target = Pick<Server, 'ready' | 'breakdowns' | 'answers'>

/** How long after a failed call the server may turn out to have broken down. */
const BREAKDOWN_SHOWS_MS = 5_000

/** Waits for the server, and loads what is missing of the demo agency into one that is empty or was half loaded. */
export async function fill(
  server: Target,
  service: Service,
  key: string,
  folder: string,
  size: DemoSize,
): Promise<void> {
  await server.ready
  const journal = new Journal(folder)
  const nothingYet = await isEmpty(service, key)
  // Last, as another start may have begun meanwhile.
  const begun = journal.read()
  if (begun && isAtWork(begun)) {
    console.log(`Demo data: another process, ${begun.pid}, is loading it.`)
    return
  }
  const load = nothingYet ? { size, progress: NO_PROGRESS } : begun
  if (!load) return
  const obstacle = nothingYet ? null : await findObstacle(service, load.size)
  if (obstacle) {
    console.error(`Demo data: not continued. ${obstacle}`)
    return journal.remove()
  }
  if (load === begun) console.log('Demo data: going on where the last start stopped.')
  let { progress } = load
  const remember = () => journal.write({ pid: process.pid, size: load.size, progress })
  remember()
  await throughBreakdowns(server, service, () =>
    loadDemo(service, key, {
      size: load.size,
      from: progress,
      onProgress: (reached) => {
        progress = reached
        remember()
      },
    }),
  )
  journal.remove()
}

/** Does `work`, and does it once more whenever the server broke down meanwhile. */
async function throughBreakdowns(
  server: Target,
  { signal }: Service,
  work: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const { breakdowns } = server
    try {
      return await work()
    } catch (error) {
      const deadline = Date.now() + BREAKDOWN_SHOWS_MS
      // One that hangs is found later, by the answer that does not come.
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

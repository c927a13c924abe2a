/** `npm run demo`: loads the demo agency into a running, empty service. */
import { serviceFrom } from './service/admin.ts'
import { isWithoutRecords } from './service/export-parts.ts'
import { findObstacle, loadDemo, withTemporaryKey } from './service/load-demo.ts'
import { readCommandLine, runScript } from './service/terminal.ts'

const USAGE = `Loads the demo agency into an empty service.

Usage: ADMIN_TOKEN=… npm run demo [-- OPTIONS]

  --url URL    the service (default: http://localhost:8787)
  --continue   continues an interrupted load, if all offices are the demo's
  --help       shows this`

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, { url: { type: 'string' }, continue: { type: 'boolean' } })
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const service = { ...serviceFrom(values.url), signal: interruption.signal }
  try {
    await withTemporaryKey(service, async (key) => {
      if (!(await isWithoutRecords(service))) {
        if (!values.continue)
          throw new Error('This service holds data already; the demo is for an empty one.')
        const obstacle = await findObstacle(service)
        if (obstacle) throw new Error(`${obstacle} Nothing is loaded.`)
      }
      await loadDemo(service, key)
    })
  } catch (error) {
    if (!interruption.signal.aborted) throw error
    throw new Error('\nStopped. `npm run demo -- --continue` goes on.')
  }
}

await runScript(main)

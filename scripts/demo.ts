/**
 * Loads the demo agency into a running, empty service: `ADMIN_TOKEN=… npm run demo [-- --url URL] [-- --continue]`. A
 * load that was broken off goes on where it stopped.
 */
import { parseArgs } from 'node:util'
import { serviceFrom } from './service/admin.ts'
import { isEmpty, loadDemo, withTemporaryKey } from './service/load-demo.ts'
import { runScript } from './service/terminal.ts'

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { url: { type: 'string' }, continue: { type: 'boolean' } } })
  const interruption = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interruption.abort())
  const service = { ...serviceFrom(values.url), signal: interruption.signal }
  try {
    await withTemporaryKey(service, async (key) => {
      if (values.continue || (await isEmpty(service, key))) return loadDemo(service, key)
      throw new Error(
        'This service holds data already; the demo is for an empty one. `npm run demo -- --continue` goes on with a ' +
          'load that was broken off.',
      )
    })
  } catch (error) {
    if (!interruption.signal.aborted) throw error
    throw new Error('\nStopped. `npm run demo -- --continue` goes on.')
  }
}

await runScript(main)

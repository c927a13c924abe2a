/**
 * `npm run examples`: makes the calls of `tools/examples/` against a separate service and records its replies as the
 * examples of the OpenAPI document. A test compares the two.
 */
import { writeFile } from 'node:fs/promises'
import { readCommandLine, runScript } from '../scripts/service/terminal.ts'
import { recordExamples, startExampleAgency } from './examples/recorder.ts'

const FILE = 'src/openapi/examples.json'

const USAGE = `Records replies of a service of its own as the examples of the OpenAPI document, in ${FILE}.

Usage: npm run examples [-- --help]`

await runScript(async () => {
  readCommandLine(USAGE, {})
  const since = Date.now()
  console.log('Starting the demo agency …')
  const service = await startExampleAgency()
  try {
    const examples = await recordExamples(service, since)
    await writeFile(FILE, `${JSON.stringify(examples, null, 2)}\n`)
    console.log(`${Object.keys(examples).length} operations in ${FILE}: read the difference.`)
  } finally {
    await service.stop()
  }
})

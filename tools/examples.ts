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

/** JSON whose lines are what is `levels` deep: an example each, so that a difference shows which have changed. */
function linesOf(value: object, levels: number, indent = ''): string {
  const entries = Object.entries(value).map(([key, inner]) => {
    const text =
      levels > 1 && !Array.isArray(inner) ? linesOf(inner, levels - 1, `${indent} `) : JSON.stringify(inner)
    return `${indent} ${JSON.stringify(key)}: ${text}`
  })
  return entries.length === 0 ? '{}' : `{\n${entries.join(',\n')}\n${indent}}`
}

await runScript(async () => {
  readCommandLine(USAGE, {})
  const since = Date.now()
  console.log('Starting the demo agency …')
  const service = await startExampleAgency()
  try {
    const examples = await recordExamples(service, since)
    await writeFile(FILE, `${linesOf(examples, 3)}\n`)
    console.log(`${Object.keys(examples).length} operations in ${FILE}: read the difference.`)
  } finally {
    await service.stop()
  }
})

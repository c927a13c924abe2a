// @module-tag slow
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { routers } from '../../src/app.ts'
import { describeApi } from '../../src/openapi/document.ts'
import { EXAMPLES, type Examples } from '../../src/openapi/examples.ts'
import { VISITORS, type Visit } from '../../src/openapi/visitors.ts'

const REDOCLY = 'node_modules/@redocly/cli/bin/cli.js'

/** What `redocly lint` says of a document; it asks the network for nothing. */
async function lint(document: object): Promise<{ totals: object; problems: { message: string }[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'estia-'))
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const environment = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', NO_COLOR: '1' }
  const linted = promisify(execFile)(process.execPath, [REDOCLY, 'lint', file, '--format=json'], {
    env: { ...process.env, ...environment },
  })
  // A document with errors ends the command with 1, its report is the same.
  const { stdout } = await linted.catch((error: { stdout: string }) => error)
  await rm(folder, { recursive: true })
  return JSON.parse(stdout)
}

it('the document keeps the rules, and its examples keep its schemas', async () => {
  const { totals, problems } = await lint(describeApi(routers, EXAMPLES))
  expect(problems.map(({ message }) => message)).toEqual([])
  expect(totals).toMatchObject({ errors: 0, warnings: 0 })
})

/** The document as it is for visitors: their calls in place of those of other keys. */
function documentForVisitors(examples: Examples): object {
  const document = JSON.parse(JSON.stringify(describeApi(routers, examples)))
  for (const { get } of Object.values<{ get?: Record<string, object> }>(document.paths)) {
    const visit: Partial<Visit> = get?.[VISITORS] ?? {}
    if (get) Object.assign(get, visit, { responses: { ...get.responses, ...visit.responses } })
  }
  return document
}

it('calls of visitors keep the rules, too', async () => {
  // Its records have some of the fields only.
  const listListings = { ...EXAMPLES.listListings, visitors: {} }
  const { problems } = await lint(documentForVisitors({ ...EXAMPLES, listListings }))
  expect(problems.map(({ message }) => message)).toEqual([])
})

it.each([
  [
    'of visitors',
    '/api/listings/{id}',
    documentForVisitors,
    { getListing: { visitors: exampleOf({ status: 200, data: { id: 89 } }) } },
  ],
  [
    'of others',
    '/health',
    (some: Examples) => describeApi(routers, some),
    { checkHealth: { reply: exampleOf({ status: 500 }) } },
  ],
])('an example %s that breaks its schema is found', async (_, path, describe, broken: Examples) => {
  const { paths, ...document } = JSON.parse(JSON.stringify(describe({ ...EXAMPLES, ...broken })))
  const { problems } = await lint({ ...document, paths: { [path]: paths[path] } })
  expect(problems[0]?.message).toMatch(/^Example value must conform to the schema/)
})

function exampleOf(value: object) {
  return { shown: { summary: 'Broken', value } }
}

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { selectTests } from '../../tools/check-fast/select.ts'

const SLOW = '// @module-tag slow'

const FILES = new Map([
  ['test/conventions.test.ts', ''],
  ['test/docs.test.ts', ''],
  ['test/support/api.ts', ''],
  ['test/admin/keys.test.ts', "import { call } from '../support/api.ts'"],
  ['test/admin/races.test.ts', SLOW],
  ['test/admin/webhooks/webhooks.test.ts', SLOW],
  ['test/http/errors.test.ts', "import { send } from './send.ts'"],
  ['test/http/request/json.test.ts', ''],
  ['test/http/send.ts', "import { call } from '../support/api.ts'"],
  ['test/browser/docs.test.ts', ''],
  ['test/node/client.test.ts', SLOW],
  ['test/node/contract.test.ts', ''],
  ['test/resources/contacts/read.test.ts', ''],
  ['test/resources/offers/read.test.ts', "import { send } from '../../http/send.ts'"],
  ['test/tools/demo.test.ts', "import { lines } from '../../demo/lines.ts'"],
  ['test/tools/guides.test.ts', ''],
  ['test/tools/start.test.ts', SLOW],
  ['demo/lines.ts', "import { random } from '../fixtures/random.ts'"],
])

const ENDPOINTS = ['conventions', 'node/contract']
const EVERYWHERE = ['http/errors', 'resources/contacts/read']

it.each<[changed: string, run: string[], slow?: string[]]>([
  ['src/resources/offers/queries.ts', [...ENDPOINTS, 'resources/offers/read']],
  ['src/http/request/json.ts', [...ENDPOINTS, ...EVERYWHERE, 'http/request/json']],
  ['src/http/request/body.ts', [...ENDPOINTS, ...EVERYWHERE, 'http/request/json']],
  ['src/admin/keys.ts', [...ENDPOINTS, 'admin/keys'], ['admin/races', 'admin/webhooks/webhooks']],
  ['src/admin/webhooks/send.ts', [...ENDPOINTS, 'admin/webhooks/webhooks']],
  ['src/client/index.ts', [...ENDPOINTS, 'node/client']],
  ['src/app.ts', [...ENDPOINTS, ...EVERYWHERE]],
  ['test/admin/races.test.ts', ['admin/races']],
  ['test/http/send.ts', ['http/errors', 'resources/offers/read']],
  ['test/support/api.ts', [...ENDPOINTS, ...EVERYWHERE]],
  ['test/browser/docs.test.ts', []],
  ['scripts/start/port.ts', ['tools/start']],
  ['fixtures/random.ts', ['tools/demo']],
  ['docs/photos.md', ['docs', 'tools/guides']],
  ['LICENSE', []],
])('%s', (changed, run, slow = []) => {
  const paths = (names: string[]) => new Set(names.map((name) => `test/${name}.test.ts`))
  const selected = selectTests([changed], FILES)
  expect(new Set(selected.run)).toEqual(paths(run))
  expect(new Set(selected.slow)).toEqual(paths(slow))
})

it('names tests that there are', async () => {
  const source = await readFile('tools/check-fast/select.ts', 'utf8')
  const named = source.match(/'test\/[\w/.-]+'/g)?.map((name) => name.slice(1, -1)) ?? []
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !existsSync(name))).toEqual([])
})

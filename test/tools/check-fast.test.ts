import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { selectTests } from '../../tools/check-fast/select.ts'

const SLOW = '// @module-tag slow'

/** A service of invented rooms: what is moved in the real one moves nothing here. */
const FILES = new Map([
  ['test/conventions.test.ts', ''],
  ['test/docs.test.ts', ''],
  ['test/support/api.ts', ''],
  ['test/office/doors.test.ts', "import { call } from '../support/api.ts'"],
  ['test/office/races.test.ts', SLOW],
  ['test/office/bells.test.ts', SLOW],
  ['test/http/errors.test.ts', "import { send } from './send-raw.ts'"],
  ['test/http/xml.test.ts', ''],
  ['test/http/send-raw.ts', "import { call } from '../support/api.ts'"],
  ['test/harbour/harbour.test.ts', SLOW],
  ['test/harbour/storms.test.ts', SLOW],
  ['test/browser/docs.test.ts', ''],
  ['test/node/robot.test.ts', SLOW],
  ['test/node/contract.test.ts', ''],
  ['test/resources/contacts/read.test.ts', ''],
  ['test/resources/boats/read.test.ts', "import { send } from '../../http/send-raw.ts'"],
  ['test/tools/demo.test.ts', "import { lines } from '../../demo/lines.ts'"],
  ['test/tools/guides.test.ts', ''],
  ['test/tools/engine.test.ts', SLOW],
  ['packages/photo-codec/test/tiff.test.ts', ''],
  ['packages/photo-codec/test/node/measured.test.ts', SLOW],
  ['demo/lines.ts', "import { random } from '../fixtures/chance.ts'"],
])

const ENDPOINTS = ['conventions', 'node/contract']
const EVERYWHERE = ['http/errors', 'resources/contacts/read']

it.each<[changed: string, run: string[], slow?: string[]]>([
  ['src/resources/boats/queries.ts', [...ENDPOINTS, 'resources/boats/read']],
  ['src/catalogue/boat.ts', [...ENDPOINTS, ...EVERYWHERE, 'resources/boats/read']],
  ['src/http/xml.ts', [...ENDPOINTS, ...EVERYWHERE, 'http/xml']],
  ['src/http/deeper/body.ts', [...ENDPOINTS, ...EVERYWHERE, 'http/xml']],
  ['src/office/doors.ts', [...ENDPOINTS, 'office/doors'], ['office/races', 'office/bells']],
  ['src/office/bells/ring.ts', [...ENDPOINTS, 'office/doors', 'office/bells'], ['office/races']],
  ['src/harbour/pier.ts', [...ENDPOINTS, 'harbour/harbour'], ['harbour/storms']],
  ['src/robot/index.ts', [...ENDPOINTS, 'node/robot']],
  ['src/http/robot.ts', [...ENDPOINTS, ...EVERYWHERE, 'http/xml']],
  ['src/app.ts', [...ENDPOINTS, ...EVERYWHERE]],
  ['test/office/races.test.ts', ['office/races']],
  ['test/http/send-raw.ts', ['http/errors', 'resources/boats/read']],
  ['test/support/api.ts', [...ENDPOINTS, ...EVERYWHERE]],
  ['test/browser/docs.test.ts', []],
  ['scripts/engine/port.ts', ['tools/engine']],
  ['fixtures/chance.ts', ['tools/demo']],
  ['packages/photo-codec/src/tiff.ts', ['packages/photo-codec/tiff'], ['packages/photo-codec/node/measured']],
  ['docs/photos.md', ['docs', 'tools/guides']],
  ['LICENSE', []],
])('%s', (changed, run, slow = []) => {
  const paths = (names: string[]) =>
    new Set(names.map((name) => `${name.replace(/^(packages\/[\w-]+\/)?/, '$1test/')}.test.ts`))
  const selected = selectTests([changed], FILES)
  expect(new Set(selected.run)).toEqual(paths(run))
  expect(new Set(selected.slow)).toEqual(paths(slow))
})

it('names tests that there are', async () => {
  const source = await readFile('tools/check-fast/select.ts', 'utf8')
  const named =
    source.match(/'(packages\/photo-codec\/)?test\/[\w/.-]+'/g)?.map((name) => name.slice(1, -1)) ?? []
  expect(named.length).toBeGreaterThan(5)
  expect(named.filter((name) => !existsSync(name))).toEqual([])
})

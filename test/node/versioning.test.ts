/** What was released stays: nothing that a caller may rely on goes away without a new major version. */
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { routers } from '../../src/app.ts'
import { API_VERSION } from '../../src/http/version.ts'
import { describeApi } from '../../src/openapi/document.ts'
import { demandsOf, promisesOf } from '../../tools/release/promises.ts'

const readJson = async (path: string) => JSON.parse(await readFile(path, 'utf8'))
const changelog = await readFile('CHANGELOG.md', 'utf8')
const document = JSON.parse(JSON.stringify(describeApi(routers, {})))
const released: { version: string; promises: string[] } = await readJson('test/released.json')

const isDemand = (line: string) => line.endsWith(' required')
/** Before 1.0.0 the middle number tells of breaking changes. */
const lineOf = (version: string) => version.split('.', version.startsWith('0.') ? 2 : 1).join('.')

/** What `newer` no longer keeps of the promises `older`, and what it asks for beyond. */
function broken(older: string[], newer: object): string[] {
  const [kept, asked] = [new Set(promisesOf({ ...newer })), new Set(older)]
  const calls = new Set(older.map((line) => line.split(' ').slice(0, 2).join(' ')))
  // A number that is always an integer is still a number.
  const isKept = (line: string) => kept.has(line) || kept.has(line.replace(/: number$/, ': integer'))
  // A filter may accept more types than it did.
  const isWider = (line: string) => {
    const [path, types = ''] = line.split(': ')
    const found = [...kept].find((newer) => newer.startsWith(`${path}: `))?.split(': ')[1] ?? ''
    return (
      /^\w+Filters\.\w+: /.test(line) && types.split('|').every((type) => found.split('|').includes(type))
    )
  }
  return [
    ...older.filter((line) => !isDemand(line) && !isKept(line) && !isWider(line)),
    ...demandsOf({ ...newer }).filter(
      (line) => /^[A-Z]+ /.test(line) && !asked.has(line) && calls.has(line.split(' ').slice(0, 2).join(' ')),
    ),
  ]
}

/**
 * What was added or changed, by the names that clients see, and is named by no entry of `changelog` under "Added",
 * "Changed", "Deprecated" or "Removed": parameters, and fields of schemas that were released; else the beginning of the
 * path. New schemas belong to calls.
 */
function unexplained(older: string[], newer: object, changelog: string): string[] {
  const newest = promisesOf({ ...newer })
  const [before, after] = [new Set(older), new Set(newest)]
  const released = new Set(older.map((line) => ownerOf(line)))
  const changed = [...newest.filter((line) => !before.has(line)), ...older.filter((line) => !after.has(line))]
  const names = changed.flatMap((line) => {
    const [, path, rest = ''] = /^[A-Z]+ (\/\S*)(.*)$/.exec(line) ?? []
    const isReleased = released.has(ownerOf(line))
    const parameter = isReleased ? /^(?: takes)? (?:query|header|path) (\S+)/.exec(rest)?.[1] : undefined
    if (path)
      return [
        parameter ??
          path
            .replace(/\/\{.*/, '')
            .split('/')
            .slice(0, 3)
            .join('/'),
      ]
    return isReleased ? (line.split(/[: ]/)[0]?.split('.').slice(1).at(-1) ?? []) : []
  })
  const [, unreleased = ''] = /^## Unreleased\n([\s\S]*?)^## /m.exec(changelog) ?? []
  const [, ...sections] = unreleased.split(/^### /m)
  const entries = sections.filter((section) => /^(?:Added|Changed|Deprecated|Removed)\n/.test(section))
  const quoted = entries.flatMap((text) => text.match(/`[^`]+`/g) ?? []).join(' ')
  const words = new Set(quoted.split(/[^\w/-]+/))
  const isNamed = (name: string) => (name.startsWith('/') ? quoted.includes(name) : words.has(name))
  return [...new Set(names)].filter((name) => !isNamed(name))
}

/** The call or the schema of a promise. */
function ownerOf(line: string): string | undefined {
  return /^[A-Z]+ \/\S*/.exec(line)?.[0] ?? line.split(/[.: ]/)[0]
}

describe('the contract', () => {
  it('keeps what the last release promised; docs/versioning.md says what to do where it must not', () => {
    if (lineOf(API_VERSION) === lineOf(released.version))
      expect(broken(released.promises, document)).toEqual([])
  })

  it('changes only with entries in the changelog that name what is added or changed', () => {
    expect(unexplained(released.promises, document, changelog)).toEqual([])
  })

  it('has the version of the package and of the newest release in the changelog', async () => {
    const [, newest] = /^## (\d+\.\d+\.\d+) /m.exec(changelog) ?? []
    const { version } = await readJson('package.json')
    const lock = await readJson('package-lock.json')
    const versions = [newest, version, lock.version, lock.packages[''].version, document.info.version]
    expect(versions).toEqual(Array(5).fill(API_VERSION))
    expect(released.version).toBe(API_VERSION)
  })
})

describe('the comparison', () => {
  const THING = { id: { type: 'integer' }, colour: { type: 'string', enum: ['red', 'blue'] } } as Record<
    string,
    object
  >
  const PAGE: object = { name: 'page', in: 'query' }
  const GET: object = {
    parameters: [{ $ref: '#/components/parameters/Page' }],
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/schemas/Thing' } } } } },
  }
  /** A contract with other paths, fields or a parameter. */
  const contract = ({ paths = {}, fields = {}, Page = PAGE }: Changes = {}) => ({
    paths: { '/api/things': { get: GET }, ...paths },
    components: {
      parameters: { Page },
      schemas: { Thing: { required: ['id'], properties: { ...THING, ...fields } } },
    },
  })
  interface Changes {
    paths?: Record<string, object>
    fields?: Record<string, object>
    Page?: object
  }

  it('lets filters accept more types, and no fewer', () => {
    const some = (...types: string[]) => types.map((type) => ({ type }))
    const filters = (anyOf: object[]) => ({
      components: { schemas: { ThingFilters: { properties: { fields: { anyOf } } } } },
    })
    const list = (...types: string[]) => ({ type: 'array', items: { anyOf: some(...types) } })
    const older = promisesOf(filters([...some('null'), list('integer')]))
    expect(broken(older, filters([...some('string', 'null'), list('integer', 'string')]))).toEqual([])
    expect(broken(older, filters(some('integer', 'null')))).toEqual(older)
    expect(broken(older, filters([list('integer')]))).toEqual(older)
  })

  it.each<[string, Changes, string[]]>([
    ['nothing', {}, []],
    ['a new call', { paths: { '/api/more': { get: {} } } }, []],
    ['a new field', { fields: { size: {} } }, []],
    [
      'a call that is gone',
      { paths: { '/api/things': {} } },
      ['GET /api/things', 'GET /api/things gives application/json Thing', 'GET /api/things takes query page'],
    ],
    ['a field of another type', { fields: { id: { type: 'string' } } }, ['Thing.id: integer']],
    [
      'a value that is gone',
      { fields: { colour: { type: 'string', enum: ['red'] } } },
      ['Thing.colour = "blue"'],
    ],
    [
      'a parameter that is required now',
      { Page: { ...PAGE, required: true } },
      ['GET /api/things query page required'],
    ],
  ])('finds %s', (_, changes, found) => {
    expect(broken(promisesOf(contract()), contract(changes))).toEqual(found)
  })

  const log = (section: string, entry: string) =>
    `## Unreleased\n\n### ${section}\n\n- ${entry}\n\n## 1.0.0 – 2026-01-01\n`

  it.each<[string, Record<string, object>, string]>([
    ['/api/more', { '/api/more/{id}': { get: {} } }, 'a new call'],
    ['/api/things', { '/api/things': {} }, 'a call that is gone'],
    [
      'per_page',
      { '/api/things': { get: { parameters: [{ name: 'per_page', in: 'query' }] } } },
      'a parameter',
    ],
  ])('asks for an entry that names %s', (name, paths) => {
    const [older, changed] = [promisesOf(contract()), contract({ paths })]
    const named = new Set(
      unexplained(older, changed, log('Added', 'Something else, such as size and `sizes`.')),
    )
    expect(named).toContain(name)
    expect(unexplained(older, changed, log('Fixed', `\`${name}\` works.`))).toContain(name)
    expect(unexplained(older, changed, `${log('Added', 'More.')}\n### Added\n\n- \`${name}\`\n`)).toContain(
      name,
    )
    for (const section of ['Added', 'Changed', 'Removed'])
      expect(unexplained(older, changed, log(section, `Now there is \`${name}[]\`, too.`))).not.toContain(
        name,
      )
    expect(unexplained(older, contract(), log('Added', 'Nothing.'))).toEqual([])
  })
})

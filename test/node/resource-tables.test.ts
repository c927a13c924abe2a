/** What the guides list of the resources is built from the catalogue: `npx vitest run --project node -u` renews it. */
import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { importFieldsPage } from '../../scripts/build/import-fields.ts'
import { PLACES } from '../../src/admin/erasure/places.ts'
import { ENTITIES } from '../../src/admin/transfer/entities.ts'
import { isInChangeFeed } from '../../src/admin/transfer/entity.ts'
import { routers } from '../../src/app.ts'
import { RECORD_RESOURCES, writePathOf } from '../../src/catalogue/resources.ts'
import { RESOURCES } from '../../src/db/changes.ts'
import { FIELD_LIST, type FieldKind } from '../../src/resources/listings/search/fields.ts'

const quoted = (names: Iterable<string>) => Array.from(names, (name) => `\`${name}\``).join(', ')
const and = new Intl.ListFormat('en-GB')

const endpoints = routers.flatMap((router) => router.endpoints)
const VERBS = {
  'get ': 'list',
  'get /{id}': 'read',
  'post ': 'create',
  'put /{id}': 'update',
  'delete /{id}': 'delete',
}

/** `list, read, create; matches`: the calls of a path, and what the paths below it are named. */
function callsOf(root: string): string {
  const own = endpoints.filter(({ path }) => path === root || path.startsWith(`${root}/`))
  const calls = own.map(({ method, path }) => `${method} ${path.slice(root.length)}`)
  const verbs = Object.entries(VERBS).flatMap(([call, verb]) => (calls.includes(call) ? verb : []))
  const others = own.flatMap(
    ({ path }) => /^(?:\/\{id\})?\/([a-z-]+)/.exec(path.slice(root.length))?.[1] ?? [],
  )
  return [verbs.join(', '), quoted(new Set(others))].filter(Boolean).join('; ')
}

const firstOf = (root: string) => endpoints.findIndex(({ path }) => path === root)
/** The paths of records, and those where they are written, in the order of the reference. */
const rows = RECORD_RESOURCES.flatMap((facts) => [`/api/${facts.resource}`, writePathOf(facts)])
  .filter((path, index, all) => firstOf(path) >= 0 && all.indexOf(path) === index)
  .toSorted((a, b) => firstOf(a) - firstOf(b))

/** The fields that a list can be sorted by, as the schema of its filters has them. */
function sortsOf({ contract }: (typeof endpoints)[number]): string[] {
  const sort = contract.filters?.shape.sort
  if (!sort) return []
  const names = JSON.stringify(z.toJSONSchema(sort, { io: 'input' })).match(/(?<="-)\w+(?=")/g)
  return [...new Set(names)]
}

const row = (...cells: string[]) => `| ${cells.join(' | ')} |\n`

/** Where each list stands, and what it says. */
const LISTS: [file: string, place: RegExp, text: string][] = [
  [
    'README.md',
    /(?<=\n\| resource \| calls \|\n\|---\|---\|\n)[\s\S]*?(?=\| `\/api\/stores`)/,
    rows.map((path) => row(`\`${path}\``, callsOf(path))).join(''),
  ],
  [
    'docs/filters.md',
    /(?<=\n\| list \| `sort` may be, also with `-` \|\n\|---\|---\|\n)[\s\S]*?(?=\n\n)/,
    endpoints
      .filter((one) => one.method === 'get' && rows.includes(one.path) && sortsOf(one).length > 0)
      .map((one) => row(`\`${one.path}\``, quoted(sortsOf(one))))
      .join('')
      .trimEnd(),
  ],
  [
    'docs/transfer.md',
    /(?<=\n\| records \| ).*(?= \|\n)/,
    quoted(ENTITIES.filter(isInChangeFeed).map(({ name }) => name)),
  ],
  [
    'docs/keeping-a-copy.md',
    /(?<=\n\| `resources` \| a list, or comma-separated text: ).*(?=; without it)/,
    quoted(RESOURCES),
  ],
  [
    'docs/trail.md',
    /(?<=\nEntries of ).*(?= stay as long as the records\.\n)/,
    and.format(RECORD_RESOURCES.flatMap(({ history, many }) => (history === 'kept' ? many : []))),
  ],
  [
    'docs/privacy.md',
    /(?<=\n\| records \| which \| cleared \| stays \|\n\|---\|---\|---\|---\|\n)[\s\S]*?(?=\| trail \|)/,
    PLACES.map(({ resource, fields, kept }) => {
      const doc = RECORD_RESOURCES.find((one) => one.resource === resource)?.person?.doc ?? ''
      return row(`\`${resource}\``, doc, quoted(fields.map(({ name }) => name)), kept.join(', '))
    }).join(''),
  ],
]

/** What a filter of each kind takes, and filters that are no field. */
const KINDS: [kind: FieldKind, value: string, others?: string[]][] = [
  ['integers', 'a range of integers'],
  ['numbers', 'a range of numbers'],
  ['dates', 'a range of date-times'],
  ['choice', 'one value or several'],
  ['ids', 'one id or several', ['ids']],
  ['places', 'one place or several of that level'],
  ['keys', 'keys, all of which the listing has'],
  ['flag', '`true` or `false`'],
]
const OF_VISITORS = KINDS.map(([kind, value, others = []]) => {
  const names = FIELD_LIST.flatMap(([name, field]) =>
    field.kind === kind && !field.options.isPrivate && name !== 'status' ? [name] : [],
  )
  return row(quoted([...names, ...others]), value)
})
LISTS.push([
  'docs/website.md',
  /(?<=\n\| filter \| value \|\n\|---\|---\|\n)[\s\S]*?(?=\n\n)/,
  [
    ...OF_VISITORS,
    row('`areas`', 'one place or several, of any level'),
    row('`bounds`', '`south`, `west`, `north`, `east` in degrees; `west` above `east` crosses the date line'),
    row('`near`', '`latitude`, `longitude` in degrees and `radius` in metres, from 1 to 50,000'),
    row('`text`', '[words](#text) of titles, codes, places, subcategories, features and views'),
    row('`search`', 'the complete code or id'),
    row('`status`', 'accepted, but only active listings are found'),
  ]
    .join('')
    .trimEnd(),
])

it.each(LISTS)('%s lists what the catalogue has', async (file, place, text) => {
  const found = await readFile(file, 'utf8')
  expect(found).toMatch(place)
  await expect(found.replace(place, () => text)).toMatchFileSnapshot(`../../${file}`)
})

it('the guide to the fields of an import has every field of every entity, and is built', async () => {
  const page = importFieldsPage(ENTITIES)
  for (const { name, schema } of ENTITIES) {
    expect(page).toContain(`\n## ${name}\n`)
    for (const field of Object.keys(schema.shape)) expect(page).toContain(`\`${field}\``)
  }
  expect(await readFile('docs/import-fields.md', 'utf8')).toBe(page)
})

it('the guide to the fields of an import says of each field what it is', () => {
  const rows = importFieldsPage(ENTITIES)
    .split('\n')
    .filter((line) => /^\| (\*\*)?`/.test(line))
  expect(rows.length).toBeGreaterThan(300)
  expect(rows.filter((row) => row.endsWith('|  |') || row.includes('| anything |'))).toEqual([])
})

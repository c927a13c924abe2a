import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { FIELD_LIST, type FieldKind } from '../../src/resources/listings/search/fields.ts'

const GUIDE = join(import.meta.dirname, '../../docs/website.md')

/** What a filter of each kind takes, and filters that are no field. */
const VALUES: [kind: FieldKind, value: string, others?: string[]][] = [
  ['integers', 'a range of integers'],
  ['numbers', 'a range of numbers'],
  ['dates', 'a range of date-times'],
  ['choice', 'one value or several'],
  ['ids', 'one id or several', ['ids']],
  ['places', 'one place or several of that level'],
  ['keys', 'keys, all of which the listing has'],
  ['flag', '`true` or `false`'],
]

const OTHERS = [
  ['areas', 'one place or several, of any level'],
  ['bounds', '`south`, `west`, `north`, `east` in degrees; `west` above `east` crosses the date line'],
  ['near', '`latitude`, `longitude` in degrees and `radius` in metres, from 1 to 50,000'],
  ['text', '[words](#text) of titles, codes, places, subcategories, features and views'],
  ['search', 'the complete code or id'],
  ['status', 'accepted, but only active listings are found'],
]

/** `npx vitest run --project node test/node/filters-guide.test.ts --update=all` writes it. */
it('the guide names every filter of visitors', async () => {
  const rows = VALUES.map(([kind, value, others = []]) => {
    const names = FIELD_LIST.flatMap(([name, field]) =>
      field.kind === kind && !field.options.isPrivate && name !== 'status' ? [name] : [],
    )
    return `| ${[...names, ...others].map((name) => `\`${name}\``).join(', ')} | ${value} |`
  })
  const table = [
    '| filter | value |',
    '|---|---|',
    ...rows,
    ...OTHERS.map(([name, value]) => `| \`${name}\` | ${value} |`),
  ]
  const guide = readFileSync(GUIDE, 'utf8')
  const written = guide.replace(/\| filter \| value \|\n(?:\|.*\n)+/, `${table.join('\n')}\n`)
  await expect(written).toMatchFileSnapshot(GUIDE)
})

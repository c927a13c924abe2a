import { expect, it } from 'vitest'
import { mutantsOf } from '../../tools/mutations/mutants.ts'

const SOURCE = `import { eq } from 'drizzle-orm'
const CONDITIONS = {
  store_id: (id) => eq(offers.store_id, id),
} satisfies Conditions<Filters>
const access: 'read' | 'write' = 'read'
if (a < b && c === null) refuse(sql\`\${x} is null and \${y} >= \${z} order by id desc\`)
`

it('finds the conditions, rules, comparisons, SQL and literals of a source', () => {
  const found = mutantsOf('offers.ts', SOURCE).map(
    ({ line, before, after }) => `${line} ${before} → ${after}`,
  )
  expect(found).toEqual([
    '3 (id) => eq(offers.store_id, id) → () => undefined',
    '3 eq → ne',
    "5 'read' → 'write'",
    '6 a < b && c === null → false && (a < b && c === null)',
    '6 && → ||',
    '6 < → <=',
    '6 === → !==',
    '6 is null → is not null',
    '6  >=  →  > ',
    '6 desc → asc',
  ])
})

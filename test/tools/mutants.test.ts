import { expect, it } from 'vitest'
import { mutantsOf } from '../../tools/mutations/mutants.ts'
import { withFault, withSwitches } from '../../tools/mutations/switched.ts'

const SOURCE = `import { eq } from 'drizzle-orm'
const CONDITIONS = {
  store_id: (id) => eq(offers.store_id, id),
} satisfies Conditions<Filters>
const access: 'read' | 'write' = 'read'
if (a < b && c === null) refuse(sql\`\${x} is null and \${y} >= \${z} order by id desc\`)
const kept = !names.some((name) => name) ? Math.min(1, 2) : 0
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
    `6 ${/refuse.*\)/.exec(SOURCE)?.[0]} → undefined`,
    '6 is null → is not null',
    '6  >=  →  > ',
    '6 desc → asc',
    '7 !names.some((name) => name) → false && (!names.some((name) => name))',
    '7 !names.some((name) => name) → names.some((name) => name)',
    '7 some → every',
    '7 Math.min → Math.max',
  ])
})

it('puts every fault of a source behind a switch', () => {
  const source = `const results = []
for (const [a, b] of [[1, 1], [1, 2], [2, 1]])
  if (!(a <= b) || [a, b].every((one) => one === 1)) results.push(a * 10 + b)
  else results.push(0)
globalThis.estiaResults = results
`
  const run = (code: string): unknown => {
    const scope = { estiaFaults: { active: 0, reached: [] }, estiaResults: undefined as unknown }
    const results = (active: number) => {
      scope.estiaFaults.active = active
      new Function('globalThis', code)(scope)
      return scope.estiaResults
    }
    return [0, ...faults.map(({ id }) => id)].map(results)
  }
  const faults = mutantsOf('a.ts', source).map((mutant, index) => ({
    ...mutant,
    file: 'a.ts',
    id: index + 1,
  }))
  const alone = faults.map((fault) => run(withFault(source, fault))).map((all) => (all as unknown[])[0])
  expect(faults.length).toBeGreaterThan(6)
  expect(run(withSwitches(source, faults))).toEqual([[11, 0, 21], ...alone])
})

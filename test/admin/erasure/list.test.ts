/** Lists of the erased, taken together. */
import { expect, it } from 'vitest'
import { mergeErased } from '../../../src/admin/erasure/list.ts'

const [JANUARY, JUNE, JULY] = ['2026-01-01 00:00:00', '2026-06-01 00:00:00', '2026-07-01 00:00:00']
const request = (id: number, date?: string) => ({
  resource: 'requests' as const,
  id,
  ...(date ? { date } : {}),
})

it.each([
  [
    'with its contact where a list of an older version has none',
    [{ id: 5, date: JUNE, also: [request(1)] }],
    JUNE,
  ],
  [
    'of its own, which a later date of its contact does not change',
    [
      { id: 5, date: JANUARY, also: [request(1)] },
      { id: 5, date: JULY },
    ],
    JANUARY,
  ],
  [
    'the later of several, in whichever order the lists come',
    [
      { id: 5, date: JULY, also: [request(1, JANUARY)] },
      { id: 5, date: JUNE, also: [request(1)] },
    ],
    JUNE,
  ],
  [
    'the later, although the list of an older version is the later one',
    [
      { id: 5, date: JUNE, also: [request(1)] },
      { id: 5, date: JANUARY, also: [request(1, JULY)] },
    ],
    JULY,
  ],
])('gives each record a date: %s', (_, lists, date) => {
  const contact = lists
    .map((entry) => entry.date)
    .toSorted()
    .at(-1)
  for (const order of [lists, lists.toReversed()])
    expect(mergeErased(order.map((entry) => [entry]))).toEqual([
      { id: 5, date: contact, also: [request(1, date)] },
    ])
})

it('takes the higher position within one second, and none of an older list with a later date', () => {
  const at = (date: string, position?: number) => ({ date, ...(position ? { position } : {}) })
  const merged = (...moments: ReturnType<typeof at>[]) =>
    mergeErased(moments.map((moment) => [{ id: 5, ...moment, also: [{ ...request(1), ...moment }] }]))
  const expected = (moment: object) => [{ id: 5, ...moment, also: [{ ...request(1), ...moment }] }]
  for (const [one, other, latest] of [
    [at(JUNE, 1), at(JUNE, 2), at(JUNE, 2)],
    [at(JUNE), at(JUNE, 2), at(JUNE, 2)],
    [at(JUNE, 2), at(JULY), at(JULY)],
  ] as const)
    for (const order of [merged(one, other), merged(other, one)]) expect(order).toEqual(expected(latest))
})

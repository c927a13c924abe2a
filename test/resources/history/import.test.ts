/** Every line of an import that changes a record is entered in the trail, and so is what follows from it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { LOOKUPS, pathsOf } from '../../../src/catalogue/lookups.ts'
import { call } from '../../support/api.ts'
import { CHANGES, RECORDS } from '../../support/factories/samples.ts'
import { commission, EXPENSE, INCOME, seedFinances } from '../incomes/seed.ts'
import { follow, type Written } from './follow.ts'

/** A line of each entity that import takes, with a change of one key. Most of the others are lists of names. */
const LINES = ENTITIES.map(({ name }) => {
  const known = RECORDS.find(([entity]) => entity === name)
  return known
    ? { name, data: known[1], change: CHANGES[name] ?? {} }
    : { name, data: { id: 50, name: 'A' }, change: { name: 'B' } }
})

const isGroup = (value: unknown) => value instanceof Object && !Array.isArray(value)

/** `{ location: { address: null } }` → `location.address` */
const namesIn = (change: object) =>
  Object.entries(change).flatMap(([key, value]) =>
    isGroup(value) ? Object.keys(value).map((name) => `${key}.${name}`) : [key],
  )

const importing = (entity: string, data: object) =>
  follow(async () => {
    const { body } = await call('POST', '/admin/import', { body: JSON.stringify({ entity, data }) })
    expect(body.data).toMatchObject({ accepted: 1, errors: [] })
  })

/** The entries of records, without that of the call. */
const ofRecords = ({ entries }: Written) => entries.filter(({ resource }) => resource !== 'import')

/** The trail names lookups as entities: `contact-tags`, where the feed has the path of the list. */
const asInTrail = (moved: string) => {
  const [resource = '', id] = moved.split(' ')
  const lookup = LOOKUPS.find((one) => pathsOf(one).includes(resource))
  return lookup ? `${lookup.table.replaceAll('_', '-')} ${id}` : moved
}

const recordsIn = (written: Written) =>
  ofRecords(written).map(({ resource, record_id }) => `${resource} ${record_id}`)

describe('POST /admin/import', () => {
  beforeAll(seedFinances)

  it.each(LINES)('enters each line of $name, and the call itself', async ({ name, data, change }) => {
    const { id, key } = { id: undefined, key: undefined, ...data }
    const record_id = String(id ?? key)
    const created = await importing(name, data)
    expect(ofRecords(created)).toContainEqual(
      expect.objectContaining({ record_id, changed: null, others: [] }),
    )
    const updated = await importing(name, { ...(key === undefined ? { id } : { key }), ...change })
    expect(
      ofRecords(updated).map((entry) => [entry.record_id, Object.keys(entry.changed ?? {}), entry.others]),
    ).toEqual([[record_id, expect.any(Array), expect.any(Array)]])
    const [entry] = ofRecords(updated)
    expect([...Object.keys(entry?.changed ?? {}), ...(entry?.others ?? [])]).toEqual(namesIn(change))
    for (const written of [created, updated])
      expect(recordsIn(written)).toEqual(expect.arrayContaining(written.moved.map(asInTrail)))
    const unchanged = await importing(name, { ...(key === undefined ? { id } : { key }), ...change })
    expect(ofRecords(unchanged)).toEqual([])
    const calls = [created, updated, unchanged].map(
      ({ entries }) => entries.filter(({ resource }) => resource === 'import').length,
    )
    expect(calls).toEqual([1, 1, 1])
  })

  it.each<[string, object, object, string]>([
    [
      'listings',
      { price: 3, notes: 'N', details: { land_size: 21 } },
      { price: [1000, 3], price_per_sqm: [33.33, 0.1], 'details.land_size': [20, 21] },
      'notes',
    ],
    ['contacts', { is_lead: true, first_name: 'Anna' }, { is_lead: [false, true] }, 'first_name'],
    ['requests', { rooms_min: 2, notes: 'N' }, { rooms_min: [null, 2] }, 'notes'],
    ['external_listings', { size: 4, photos: [] }, { size: [3, 4], price_per_sqm: [3.33, 2.5] }, 'photos'],
    ['offers', { status: 'accepted', notes: 'N' }, { status: ['under_negotiation', 'accepted'] }, 'notes'],
    ['contracts', { deposit_amount: 5, contacts: [] }, { deposit_amount: [19_000, 5] }, 'contacts'],
    ['incomes', { total_amount: 8, title: 'T' }, { total_amount: ['3000.30', '8.00'] }, 'title'],
    ['expenses', { amount: '5.50', title: 'T' }, { amount: ['6.00', '5.50'] }, 'title'],
  ])('shows the values of %s that are to be shown', async (name, change, changed, other) => {
    const id = name === 'expenses' ? 52 : 50
    const written = await importing(name, { id, ...change })
    expect(ofRecords(written)).toEqual([expect.objectContaining({ changed, others: [other] })])
  })

  it('enters the expenses that commissions make, change and end, under whatever ids', async () => {
    const [paid, other] = [{ partner_commission_amount: 7 }, commission(61)]
    const income = (change: object) => ['incomes', { id: 60, ...change }] as const
    const shares = (...amounts: string[]) =>
      amounts.map((partner_commission_amount) => {
        const { id, ...share } = commission(0, { partner_commission_amount })
        return share
      })
    const [BEFORE, AFTER] = [shares('100.01', '100.01'), shares('7.00', '100.01')]
    const date = ['2024-04-01', '2024-05-01']
    const CONFIRMED = { status: ['pending', 'confirmed'] }
    const steps: [readonly [entity: string, data: object], Record<string, [unknown, string[]]>][] = [
      [
        income({ ...INCOME, id: 60, commissions: [commission(60), other] }),
        { 'incomes 60': [null, []], 'expenses 53': [null, []], 'expenses 54': [null, []] },
      ],
      [
        income({ date: '2024-05-01', commissions: [commission(60, paid), other] }),
        {
          'incomes 60': [{ date, commissions: [BEFORE, AFTER] }, []],
          'expenses 53': [{ amount: ['100.01', '7.00'], date }, []],
          'expenses 54': [{ date }, []],
        },
      ],
      [
        income({ commissions: [commission(60, { ...paid, expense_id: 70 }), other] }),
        { 'incomes 60': [{}, ['commissions']], 'expenses 53': [{}, ['id']], 'expenses 70': [{}, ['id']] },
      ],
      [['expenses', { ...EXPENSE, id: 70 }], { 'expenses 70': [null, []], 'expenses 71': [{}, ['id']] }],
      [
        income({ status: 'confirmed' }),
        { 'incomes 60': [CONFIRMED, []], 'expenses 71': [CONFIRMED, []], 'expenses 54': [CONFIRMED, []] },
      ],
      [
        income({ commissions: [] }),
        {
          'incomes 60': [{ commissions: [AFTER, []] }, []],
          'expenses 71': [{}, ['linked_income_commission_id']],
          'expenses 54': [{}, ['linked_income_commission_id']],
        },
      ],
    ]
    for (const [[entity, data], expected] of steps) {
      const written = await importing(entity, data)
      // Of two entries of a record the later one.
      const entries = ofRecords(written).map(({ resource, record_id, changed, others }) => [
        `${resource} ${record_id}`,
        [changed, others],
      ])
      expect(Object.fromEntries(entries)).toEqual(expected)
      expect(new Set(written.moved)).toEqual(new Set(Object.keys(expected)))
    }
  })
})

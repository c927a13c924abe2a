/** Every line of an import that changes a record is entered in the trail, and so is what follows from it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { LOOKUPS, pathsOf } from '../../../src/catalogue/lookups.ts'
import { call } from '../../support/api.ts'
import { CHANGES, RECORDS } from '../../support/factories/samples.ts'
import { seedFinances } from '../incomes/seed.ts'
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
})

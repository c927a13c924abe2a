/** Helpers of the tests of PUT: a listing with something everywhere, and what a PUT changes in it. */
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import { get, put } from '../../support/api.ts'
import { execute } from '../../support/database.ts'
import { createListing } from '../../support/factories/listing.ts'

export type Json = Record<string, unknown>

/** Something in every part of a listing. */
export const full = {
  users: [1, 2],
  subcategory: 'apartment',
  subtype: 1,
  price: 100_000,
  size: 80,
  floor: 2,
  levels: 1,
  rooms: 3,
  bathrooms: 1,
  year_built: 1990,
  property_condition: 'good',
  source_id: 1,
  title: 'Τίτλος',
  description: 'Περιγραφή',
  notes: 'Σημείωση',
  tags: [1, 2],
  contacts: [1, 2],
  features: ['has_elevator', 'alarm'],
  positioning: ['is_corner'],
  flooring: ['tile'],
  view: ['sea'],
  location: {
    area_level1: 1,
    area_level2: 11,
    area_level3: 111,
    postal_code: '106 75',
    address: 'Ερμού 15',
    latitude: 37.9755,
    longitude: 23.7348,
    display_address: 'fake',
  },
  details: { wcs: 1, heating_type: 'central', thermal_break: true },
  'the service': { has_keys: true, rating: 3, video_url: 'https://video.test/1', tenant_contact_id: 1 },
}

/** When every listing of these tests was last written. */
export const LONG_AGO = '2020-01-01 00:00:00'
/** Creates a listing whose last write lies back, so that the next one shows. */
export async function createOldListing(): Promise<number> {
  const id = await createListing(full)
  await execute('update listings set date_created = ?1, date_updated = ?1 where id = ?2', LONG_AGO, id)
  return id
}

/** A listing with its write-only fields. */
export const readAll = async (id: number): Promise<Json> =>
  (await get(`/api/listings/${id}?fields=all`)).body.data

const versionOf = (id: number) =>
  env.DB.prepare('select version from listings where id = ?').bind(id).first<number>('version')

/** What differs in `after`, the location key by key. */
function difference(before: Json, after: Json): Json {
  expect(Object.keys(after)).toEqual(Object.keys(before))
  const changed = Object.entries(after).filter(
    ([key, value]) => key !== 'date_updated' && JSON.stringify(value) !== JSON.stringify(before[key]),
  )
  return Object.fromEntries(
    changed.map(([key, value]) => [
      key,
      key === 'location' ? difference(before.location as Json, value as Json) : value,
    ]),
  )
}

/** Sends a PUT that must succeed and tells what it changed; `date_updated` must move if and only if something did. */
export async function changeListing(id: number, body: unknown): Promise<Json> {
  const before = await readAll(id)
  const version = await versionOf(id)
  const reply = await put(`/api/listings/${id}`, body)
  expect(reply.body).toEqual({ status: 200, updated_id: id })
  const after = await readAll(id)
  const changed = difference(before, after)
  const nothing = Object.keys(changed).length === 0
  expect(after.date_created).toBe(LONG_AGO)
  if (nothing) expect([after.date_updated, await versionOf(id)]).toEqual([before.date_updated, version])
  else expect(Math.abs(Date.parse(`${after.date_updated}Z`) - Date.now())).toBeLessThan(60_000)
  return changed
}

/** Public points that earlier code has stored follow the rule of today, by cron. */
import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { database } from '../../../../src/db/client.ts'
import { checkPoints } from '../../../../src/resources/listings/address/check-points.ts'
import { pointOfCell } from '../../../../src/resources/listings/address/public-point.ts'
import { EVERY_MINUTE, runScheduled } from '../../../../src/scheduled.ts'
import { get, importRecords, put, websiteKey } from '../../../support/api.ts'
import { databaseAround, execute, failBefore, selectAll, selectFirst } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { listingLine } from '../../../support/factories/listing.ts'
import { idsOf } from '../../../support/reads.ts'
import { newest, readFeed } from '../../changes/feed.ts'
import { type Point, pointFrom } from './distance.ts'

const EXACT = { latitude: 37.9761234, longitude: 23.7354321 }
const CELL = pointOfCell(EXACT)
const LONG_AGO = '2026-01-03 00:00:00'

/** What earlier code has stored, and what it becomes. */
const CASES: [
  stored: { display?: string; exact?: Point; status?: string; fake: Point },
  becomes: Point | null,
][] = [
  [{ fake: pointFrom(EXACT, 152, 10) }, CELL],
  [{ fake: pointFrom(EXACT, 397, 200) }, CELL],
  [{ fake: pointFrom(EXACT, 300, 300), display: 'none' }, CELL],
  [{ fake: pointFrom(EXACT, 300, 300), status: 'inactive' }, CELL],
  // By import, but too near or too far.
  [{ fake: pointFrom(EXACT, 60, 90) }, CELL],
  [{ fake: pointFrom(EXACT, 2500, 90) }, CELL],
  // By import for sure, as no point was drawn there.
  [{ fake: pointFrom(EXACT, 120, 90) }, pointFrom(EXACT, 120, 90)],
  [{ fake: pointFrom(EXACT, 1900, 90) }, pointFrom(EXACT, 1900, 90)],
  // Only an import stored these.
  [{ fake: pointFrom(EXACT, 300, 90), display: 'real' }, null],
  [{ fake: pointFrom(EXACT, 300, 90), exact: { latitude: 0, longitude: 0 } }, null],
]
const IDS = CASES.map((_, index) => index + 1)
/** Those of which visitors see another point, or one more. */
const SEEN = [1, 2, 5, 6, 10]
/** Those of which they see the same. */
const UNSEEN = [3, 7, 8, 9]

let key = ''

/** Stores a public point as earlier code does, which knows no checked one. */
const storeAsBefore = (id: number, { latitude, longitude }: Point) =>
  execute(
    'update listings set fake_latitude = ?, fake_longitude = ?, version = version + 1 where id = ?',
    latitude,
    longitude,
    id,
  )

beforeEach(async () => {
  for (const table of ['listing_users', 'listing_documents', 'listings'])
    await execute(`delete from ${table}`)
  await seedAgency()
  key = await websiteKey()
  await importRecords(
    CASES.map(([{ display: display_address = 'fake', exact = EXACT, status = 'active' }], index) =>
      listingLine(index + 1, {
        ...{ status, date_created: LONG_AGO, date_updated: LONG_AGO },
        location: { ...exact, display_address },
      }),
    ),
  )
  await execute(
    'update listings set checked_latitude = null, checked_longitude = null, matched_version = version + 1',
  )
  for (const [index, [{ fake }]] of CASES.entries()) await storeAsBefore(index + 1, fake)
})

const check = (limits = {}, DB: D1Database = env.DB) => checkPoints(database({ DB }), limits)

const fakeOf = (point: Point | null) => ({
  fake_latitude: point?.latitude ?? null,
  fake_longitude: point?.longitude ?? null,
})

const readPoint = async (id: number) => {
  const { fake_latitude, fake_longitude } = (await get(`/api/listings/${id}`)).body.data.location
  return { fake_latitude, fake_longitude }
}

/** What a visitor sees of the listing. */
const visit = async (id: number) => {
  const { body, headers } = await get(`/api/listings/${id}`, { key })
  const { location, date_updated } = body.data
  const { precision, latitude, longitude } = location
  return { precision, latitude, longitude, date_updated, tag: headers.get('ETag') }
}

const versions = async () =>
  new Map(
    (await selectAll<{ id: number; version: number }>('select id, version from listings')).map(
      ({ id, version }) => [id, version],
    ),
  )

async function uncheckedIds(): Promise<number[]> {
  const differs = '(fake_latitude, fake_longitude) is not (checked_latitude, checked_longitude)'
  const data = await selectAll<{ id: number }>(`select id from listings where ${differs} order by id`)
  return idsOf({ data })
}

async function expectChecked(): Promise<void> {
  for (const [index, [, becomes]] of CASES.entries())
    expect([index + 1, await readPoint(index + 1)]).toEqual([index + 1, fakeOf(becomes)])
  expect(await uncheckedIds()).toEqual([])
}

describe('public points of earlier code', () => {
  it('follow by cron, with everything that shows them', async () => {
    expect(await uncheckedIds()).toEqual(IDS)
    const [before, cursor] = [await versions(), await newest()]
    const records = new Map(
      await Promise.all(IDS.map(async (id) => [id, await get(`/api/listings/${id}`)] as const)),
    )
    await runScheduled({ cron: EVERY_MINUTE }, env)
    await expectChecked()
    for (const [id, version] of await versions())
      expect([id, version]).toEqual([id, (before.get(id) ?? 0) + 1])
    for (const id of IDS) {
      const { body, headers } = await get(`/api/listings/${id}`)
      expect(headers.get('ETag')).not.toBe(records.get(id)?.headers.get('ETag'))
      // Nobody has edited the record.
      expect(body.data.date_updated).toBe(LONG_AGO)
    }
    const { data } = await readFeed({ after: cursor, resources: 'listings' })
    expect(idsOf({ data })).toEqual(IDS)
    expect(await selectAll('select id from listings where matched_version <> version')).toEqual([])
  })

  it('move the date of visitors where they see another point', async () => {
    await execute("update feed_changes set date = '2026-01-01 00:00:00'")
    await execute(`update public_listings set date_updated = '${LONG_AGO}'`)
    await check()
    for (const id of SEEN) expect((await visit(id)).date_updated > LONG_AGO).toBe(true)
    for (const id of UNSEEN) expect((await visit(id)).date_updated).toBe(LONG_AGO)
    expect(await visit(1)).toMatchObject({ precision: 'circle', ...CELL })
    expect(await visit(3)).toMatchObject({ precision: 'area', latitude: null })
    expect(await visit(7)).toMatchObject({ precision: 'circle', ...pointFrom(EXACT, 120, 90) })
    expect(await visit(10)).toMatchObject({ precision: 'area', latitude: null })
    expect((await selectFirst("select date from feed_changes where name = 'shown'"))?.date).not.toMatch(
      /^2026-01/,
    )
  })

  it('are not shown by a write before cron has come', async () => {
    expect((await put('/api/listings/1', { price: 5 })).status).toBe(200)
    expect(await visit(1)).toMatchObject({ precision: 'area', latitude: null, longitude: null })
    await check()
    expect(await visit(1)).toMatchObject({ precision: 'circle', ...CELL })
  })

  it.each([
    ['PUT', () => put('/api/listings/1', { location: { postal_code: '10675' } })],
    ['import', () => importRecords([['listings', { id: 1, location: { postal_code: '10675' } }]])],
    [
      'import of its export',
      () =>
        importRecords([
          ['listings', { id: 1, location: { postal_code: '1', ...fakeOf(pointFrom(EXACT, 152, 10)) } }],
        ]),
    ],
  ])('follow with a location that is stored by %s', async (_, write) => {
    await write()
    expect(await readPoint(1)).toEqual(fakeOf(CELL))
    expect(await uncheckedIds()).not.toContain(1)
  })

  it('are bounded in a run, and written once', async () => {
    await check({ portions: 2, size: 3 })
    expect(await uncheckedIds()).toEqual(IDS.slice(6))
    await check({ portions: 2, size: 3 })
    await expectChecked()
    const before = await versions()
    await check()
    expect(await versions()).toEqual(before)
  })

  it('follow through faults between any two calls, and by several runs at once', async () => {
    const before = await versions()
    for (let calls = 0; (await uncheckedIds()).length > 0; calls++) {
      let left = calls % 3
      const broken = databaseAround(async (send) => {
        if (left-- === 0) throw new Error('cut off')
        return send()
      })
      await Promise.allSettled([check({ size: 2 }, broken), check({ portions: 1, size: 3 })])
      expect(calls).toBeLessThan(50)
    }
    await expectChecked()
    for (const [id, version] of await versions()) expect(version).toBe((before.get(id) ?? 0) + 1)
  })

  it('leave what another call writes meanwhile', async () => {
    const elsewhere = { latitude: 38.1, longitude: 23.9 }
    const DB = failBefore(/update public_listings/, async () => {
      await put('/api/listings/1', { location: elsewhere })
      await put('/api/listings/2', { price: 77 })
    })
    await check({}, DB)
    expect(await readPoint(1)).toEqual(fakeOf(pointOfCell(elsewhere)))
    expect((await get('/api/listings/2')).body.data.price).toBe(77)
    await check()
    expect(await readPoint(2)).toEqual(fakeOf(CELL))
    expect(await uncheckedIds()).toEqual([])
  })

  it('follow again after the service was rolled back', async () => {
    await check()
    await storeAsBefore(1, pointFrom(EXACT, 222, 222))
    expect(await visit(1)).toMatchObject({ precision: 'area' })
    await check()
    await expectChecked()
    expect(await visit(1)).toMatchObject({ precision: 'circle', ...CELL })
  })
})

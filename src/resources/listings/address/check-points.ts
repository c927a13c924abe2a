/**
 * Gives listings the public point of `publicPoint` where earlier code stored theirs: before an upgrade, or while it was
 * rolled back. Cron does so in portions.
 */
import { sql } from 'drizzle-orm'
import { type Database, runStatement } from '../../../db/client.ts'
import { isOneOf } from '../../../db/conditions.ts'
import { select, sqlStatement } from '../../../db/statements.ts'
import { listings, STAYS_MATCHED, UNCHECKED_POINT } from '../../../db/tables/listings.ts'
import { enterChangesWhere, jsonNames } from '../../../db/trail.ts'
import { workThrough } from '../../../db/work-through.ts'
import { publicPoint } from './public-point.ts'

/** Listings in one portion, and maximum portions in one run. */
const PORTION = 200
const MAX_PORTIONS = 10

const COLUMNS = {
  id: listings.id,
  version: listings.version,
  display_address: listings.display_address,
  latitude: listings.latitude,
  longitude: listings.longitude,
  fake_latitude: listings.fake_latitude,
  fake_longitude: listings.fake_longitude,
  checked_latitude: listings.checked_latitude,
  checked_longitude: listings.checked_longitude,
}

/** Checks public points within the limits of one run. A listing that changes meanwhile is read again. */
export async function checkPoints(db: Database, { portions = MAX_PORTIONS, size = PORTION } = {}) {
  await workThrough(db, {
    job: 'public_points',
    resource: 'listings',
    portions,
    calls: 3,
    next: async (failed) => {
      const unchecked = sqlStatement<{ id: number }>(sql`select id from listings
        where ${UNCHECKED_POINT} and not ${isOneOf(sql`id`, failed)} order by id limit ${size}`)
      return (await runStatement(db, unchecked)).map(({ id }) => id)
    },
    work: async (ids) => {
      const unchecked = select(
        COLUMNS,
        sql`from ${listings} where ${isOneOf(listings.id, ids)} and ${UNCHECKED_POINT}`,
      )
      const rows = await runStatement(db, unchecked)
      const checked = rows.map((row) => ({ ...row, ...publicPoint(row, row) }))
      const moved = checked.filter(({ fake_latitude, fake_longitude }, index) => {
        const before = rows[index]
        return fake_latitude !== before?.fake_latitude || fake_longitude !== before.fake_longitude
      })
      return storePoints(moved, checked)
    },
  })
}

type Row = { id: number; version: number; fake_latitude: number | null; fake_longitude: number | null }

/** The listings of a JSON parameter of `[id, version, …]` that still have that version. */
const isUnchanged = sql.raw('listings.id = made.value ->> 0 and listings.version = made.value ->> 1')

/**
 * Stores the points that move, and checks all. The record keeps its date, as no user has edited it. For visitors it
 * changes now, as they are shown another point.
 */
function storePoints(moved: Row[], checked: Row[]) {
  const points = JSON.stringify(
    moved.map((row) => [row.id, row.version, row.fake_latitude, row.fake_longitude]),
  )
  const versions = JSON.stringify(checked.map(({ id, version }) => [id, version]))
  return {
    trail: enterChangesWhere(
      listings,
      sql`id in (select listings.id from json_each(${points}) made join listings on ${isUnchanged})`,
      { others: jsonNames('location.fake_latitude', 'location.fake_longitude') },
    ),
    points: sqlStatement(sql`update listings
      set fake_latitude = made.value ->> 2, fake_longitude = made.value ->> 3
      from json_each(${points}) made where ${isUnchanged}`),
    checks: sqlStatement(sql`update listings
      set checked_latitude = fake_latitude, checked_longitude = fake_longitude,
        version = version + 1, matched_version = ${STAYS_MATCHED}
      from json_each(${versions}) made where ${isUnchanged}`),
    dates: sqlStatement(sql`update public_listings set date_updated = datetime('now') where id in (
      select listings.id from json_each(${points}) made
      cross join listings on listings.id = made.value ->> 0 and listings.version = (made.value ->> 1) + 1
        and fake_latitude is made.value ->> 2 and fake_longitude is made.value ->> 3 and display_address = 'fake')`),
  }
}

/** The pages of matches, of a request and of a listing. */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { offsetOf, type Page } from '../../db/page.ts'
import { PAGE_SIZE } from '../../http/envelope.ts'
import type { Deviation } from './matching.ts'

export interface MatchRow {
  request_id: number
  listing_id: number
  score: number
  deviations: Deviation[]
}

/** Whose matches, which condition makes a record of it exist, and what the matches are with. */
const SIDES = {
  Request: { table: 'requests', exists: 'is_deleted = 0', own: 'request_id', other: 'listing_id' },
  Listing: { table: 'listings', exists: 'true', own: 'listing_id', other: 'request_id' },
} as const

/** The matches on one page, best first, and how many there are; null when there is no such record. One round trip. */
export async function findMatches(
  db: Database,
  side: keyof typeof SIDES,
  id: number,
  page: number,
): Promise<Page<MatchRow> | null> {
  const { table, exists, own, other } = SIDES[side]
  const name = (identifier: string) => sql.identifier(identifier)
  const [found, rows, [counted]] = await batch(db, [
    db.all(sql`select 1 from ${name(table)} where id = ${id} and ${sql.raw(exists)}`),
    db.all<Omit<MatchRow, 'deviations'> & { deviations: string }>(sql`
      select request_id, listing_id, score, deviations from request_matches where ${name(own)} = ${id}
      order by score desc, ${name(other)} desc limit ${PAGE_SIZE} offset ${offsetOf(page)}`),
    db.all<{ total: number }>(sql`select count(*) as total from request_matches where ${name(own)} = ${id}`),
  ])
  if (found.length === 0) return null
  const matches = rows.map((row) => ({ ...row, deviations: JSON.parse(row.deviations) as Deviation[] }))
  return { rows: matches, total: counted?.total ?? 0 }
}

/** The matches that are stored, and those that there should be. */
import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { database, runStatement } from '../../../src/db/client.ts'
import { MAX_MATCHES } from '../../../src/resources/matching/find.ts'
import { readCandidates, selectCandidates } from '../../../src/resources/matching/listing-view.ts'
import { selectMatchingRequests } from '../../../src/resources/matching/request.ts'
import { scoreMatch } from '../../../src/resources/matching/score.ts'
import { selectAll } from '../../support/database.ts'

interface StoredPair {
  request_id: number
  listing_id: number
  score: number
}

/** Every stored match, by request, best first. */
export async function storedPairs(): Promise<StoredPair[]> {
  return selectAll('select request_id, listing_id, score from request_matches order by 1, 3 desc, 2 desc')
}

/** What `storedPairs` should be: every request held against every listing, and of each the best kept. */
export async function expectedPairs(): Promise<StoredPair[]> {
  const db = database(env)
  const wanted = await runStatement(db, selectMatchingRequests(sql`order by id`))
  const rows = await runStatement(db, selectCandidates(sql`select id from listings`))
  const listings = readCandidates(rows)
  return wanted
    .filter(({ is_deleted }) => !is_deleted)
    .flatMap((request) => {
      const found = listings.flatMap((listing) => {
        const score = scoreMatch(request, listing)
        return score === null ? [] : [{ request_id: request.id, listing_id: listing.id, score }]
      })
      return found.toSorted((a, b) => b.score - a.score || b.listing_id - a.listing_id).slice(0, MAX_MATCHES)
    })
}

/** How many requests and listings are still marked to be matched. */
export async function countUnmatched(): Promise<number> {
  const count = await env.DB.prepare(`select
    (select count(*) from listings where matched_version <> version)
    + (select count(*) from requests where matched_version <> version) as n`).first<number>('n')
  return count ?? Number.NaN
}

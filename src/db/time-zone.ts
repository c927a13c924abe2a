/**
 * The time zone of the agency: the setting `time_zone`. What depends on it need not wait for it: the zone that this isolate
 * has read last is assumed, and read again in the same round trip.
 */
import { sql } from 'drizzle-orm'
import { DEFAULT_TIME_ZONE } from '../fields/time-zone.ts'
import { batch, type Database } from './client.ts'
import { JoinedReads } from './joined-reads.ts'
import { type Statement, sqlStatement } from './statements.ts'

let latest = DEFAULT_TIME_ZONE

/** The zone that the isolate has read last. */
export const assumedZone = () => latest

/** The statement that reads it. `assumed` is what the work beside it assumes. */
export function selectTimeZone(assumed = latest): Statement<{ zone: string; assumed: string }> {
  return sqlStatement(sql`select ifnull((select value ->> '$' from settings where key = 'time_zone'),
    ${DEFAULT_TIME_ZONE}) as zone, ${assumed} as assumed`)
}

/** Whether what was assumed is true. What was found will be assumed from now on. */
export function isAssumed([found]: readonly { zone: string; assumed: string }[]): boolean {
  latest = found?.zone ?? latest
  return found?.zone === found?.assumed
}

/** Reads what depends on the zone, in the round trip that reads the zone. `read` is called again if that is another one. */
export async function readInZone<T>(db: Database, read: (zone: string, db: Database) => Promise<T>) {
  const joined: Database = { ...db, joined: new JoinedReads() }
  const assumed = latest
  const [{ zone }, found] = await Promise.all([
    batch(joined, { zone: selectTimeZone(assumed) }),
    read(assumed, joined),
  ])
  return isAssumed(zone) ? found : read(latest, db)
}

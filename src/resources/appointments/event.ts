/** What calendars and mails say alike of an appointment. */
import { type SQL, sql } from 'drizzle-orm'
import { external_listings } from '../../db/tables/external-listings.ts'
import { listings } from '../../db/tables/listings.ts'

/**
 * The name of an appointment in calendars, the same for ever: it has no host, which could change, and is still that of a
 * record that was exported to another deployment. What is no appointment has a `kind` of its own before the id.
 */
export function uidOf({ id, date_created }: { id: number; date_created: string }, kind = ''): string {
  return `${date_created.replace(/\D/g, '')}-${kind}${id}@estia`
}

/**
 * SQL for where an appointment is: its location, else the address of its property; null if neither is known. The select
 * joins the listing and the external listing. What has no location of its own is at its property.
 */
export function placeIn(
  language: 'el' | 'en',
  location: SQL = sql`appointments.location`,
): SQL<string | null> {
  const area = (table: SQL) =>
    sql`(select ${sql.raw(`name_${language}`)} from locations
      where id = coalesce(${table}.area_level3, ${table}.area_level2, ${table}.area_level1))`
  const addressIn = (table: SQL, address: SQL) =>
    sql`coalesce(nullif(${address}, '') || ifnull(', ' || ${area(table)}, ''), ${area(table)})`
  return sql<string | null>`coalesce(nullif(${location}, ''),
    ${addressIn(sql`${listings}`, sql.raw(`listings.address_${language}`))},
    ${addressIn(sql`${external_listings}`, sql.raw('external_listings.address'))})`
}

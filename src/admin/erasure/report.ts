/** What an erasure has cleared so far, and what stays. */
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { batch, type Database } from '../../db/client.ts'
import { type Statement, select, sqlStatement } from '../../db/statements.ts'
import { erased_records } from '../../db/tables/people.ts'
import { PLACES } from './places.ts'
import type { erasureReport } from './schema.ts'
import { contactsOf, selectOnHold } from './statements.ts'
import { IS_CLEARED } from './states.ts'

/** Maximum records in each list of a report. */
const MAX_REPORTED = 1000

const ONLY_IDS = 'An id leads to nothing; amounts, dates and statuses are the books of the agency'
const ON_HOLD = 'Concerns somebody who is on hold, too'
const ONLY_VALUES = 'Says who changed what and when; has no texts'

/** The records of an erasure by what became of them, those of each place together. */
export async function reportErasure(
  db: Database,
  erasure: number,
): Promise<Pick<z.output<typeof erasureReport>, 'erased' | 'kept'>> {
  const { records, matches, named, held } = await batch(db, {
    records: select(
      { resource: erased_records.resource, id: erased_records.id, fields: erased_records.fields },
      sql`from ${erased_records} where contact_id = ${erasure} and ${IS_CLEARED} limit ${MAX_REPORTED}`,
    ),
    matches: sqlStatement<{
      id: number
    }>(sql`select distinct request_id as id from request_matches where request_id in (
      select id from erased_records where contact_id = ${erasure} and resource = 'requests') limit ${MAX_REPORTED}`),
    named: selectNaming(erasure),
    held: Object.fromEntries(
      PLACES.map((place) => [place.resource, selectOnHold(place, erasure, MAX_REPORTED)]),
    ),
  })
  const inOrder = PLACES.flatMap((place) =>
    records.flatMap(({ resource, id, fields }) => {
      const names = place.fields.map(({ name }) => name).filter((name) => fields?.includes(name))
      return resource === place.resource ? [{ resource, id, fields: names, kept: place.kept }] : []
    }),
  )
  return {
    erased: inOrder.flatMap(({ kept, ...one }) => (one.fields.length > 0 ? one : [])),
    kept: [
      ...inOrder.map(({ resource, id, kept }) => ({ resource, id, fields: kept, reason: ONLY_IDS })),
      ...Object.entries(held).flatMap(([resource, rows]) =>
        rows.map(({ id, fields }) => ({ resource, id, fields: JSON.parse(fields), reason: ON_HOLD })),
      ),
      ...matches.map(({ id }) => ({
        resource: 'matches',
        id,
        fields: ['listing_id', 'score'],
        reason: ONLY_IDS,
      })),
      ...named.map((one) => ({ ...one, fields: ['custom_fields'], reason: ONLY_IDS })),
      { resource: 'trail', id: erasure, fields: ['date', 'actor', 'changed', 'others'], reason: ONLY_VALUES },
    ],
  }
}

/** The statement for records whose custom fields name one of the contacts of an erasure. */
function selectNaming(erasure: number): Statement<{ resource: string; id: number }> {
  const selects = ['contacts', 'requests'].map((resource) => namingRecords(resource, contactsOf(erasure)))
  return sqlStatement(sql`${sql.join(selects, sql` union `)} limit ${MAX_REPORTED}`)
}

/**
 * A select of the records of a resource whose custom fields name one of `persons`. It reads all of them, and none where no
 * custom field is of that type: no index reaches into their values.
 */
export function namingRecords(resource: string, persons: ReturnType<typeof contactsOf>) {
  const table = sql.identifier(resource)
  return sql`select distinct ${resource} as resource, ${table}.id as id from custom_fields field
    cross join ${table} cross join json_each(${table}.custom_fields, '$."' || field.id || '"') named
    where field.resource = ${resource} and field.type in ('contact', 'contact_multi') and named.value in (${persons})`
}

/**
 * Which stored records the API created, and not an import. A line that has the id of such a record may come from another
 * system that gave the same id to something else.
 *
 * The trail knows it, so records say nothing of themselves. It knows nothing of records that are older than it, of entries
 * that it has purged, or while `RECORD_TRAIL` is off.
 */
import { sql } from 'drizzle-orm'
import { valuesOf } from '../../db/conditions.ts'
import { Statement, sqlStatement } from '../../db/statements.ts'
import { resourceName } from '../../db/trail.ts'
import { KEYED_AREAS } from '../../http/areas.ts'
import { type EntityReads, isInChangeFeed } from './entity.ts'
import type { Line } from './line.ts'

const ROUTES = KEYED_AREAS.map((area) => sql.raw(`route like '/${area}/%'`))

/** A record that the API created, and the warning for the line that has its id. */
interface Creation {
  id: Line['id']
  message: string
}

/** The statement that reads which of `ids` the API created; null for entities that it does not create. */
export function selectApiCreations(entity: EntityReads, ids: Line['id'][]): Statement<Creation> | null {
  if (!isInChangeFeed(entity)) return null
  const { sql: text, params } = sqlStatement(sql`select record_id, method, route, date from trail
    where resource = ${resourceName(entity.name)} and record_id in (${valuesOf(ids.map(String))})
      and changed is null and others is not null and status = 200
      and (${sql.join(ROUTES, sql` or `)})`)
  return new Statement(text, params, (rows) =>
    rows.map(({ record_id, method, route, date }) => ({
      id: Number(record_id),
      message: `${entity.name} ${record_id} was created by ${method} ${route} on ${date}, not by an import`,
    })),
  )
}

/** Begins and ends restores: sets the mark, and keeps the ids of erased records from being given to others. */
import { sql } from 'drizzle-orm'
import { resourceNamed } from '../../catalogue/resources.ts'
import { batch, type Database } from '../../db/client.ts'
import type { Restore } from '../../db/restoring.ts'
import { sqlStatement, textStatement } from '../../db/statements.ts'
import { formatDateTime } from '../../fields/values.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { ENTITIES } from '../transfer/entities.ts'
import type { RestoreInput } from './schema.ts'

/** SQL that holds while there is no record: then there is no mail to send, and no id is taken. */
const IS_EMPTY = sql.raw(ENTITIES.map(({ name }) => `not exists (select 1 from ${name})`).join(' and '))

/** Sets the mark of an empty service, or finds it set by an earlier call. Throws 409 if it stands for another backup. */
export async function beginRestore(db: Database, { backup, digest, above }: RestoreInput): Promise<Restore> {
  const floors = JSON.stringify((above ?? []).map(({ resource, id }) => [resourceNamed(resource).table, id]))
  const { restore } = await batch(db, {
    mark: sqlStatement(sql`insert into restores (id, backup, digest, date_started)
      select 1, ${backup}, ${digest}, ${formatDateTime(new Date())} where ${IS_EMPTY}
      on conflict (id) do nothing`),
    floors:
      sqlStatement(sql`insert into id_floors (name, id) select value ->> 0, value ->> 1 from json_each(${floors})
      where exists (select 1 from restores where backup = ${backup} and digest = ${digest})
      on conflict (name) do update set id = max(id, excluded.id)`),
    restore: textStatement<Restore & { digest: string }>('select * from restores'),
  })
  const [restoring] = restore
  if (!restoring) throw new ApiError(409, 'The service holds records')
  const { digest: begun, backup: name, date_started } = restoring
  if (name !== backup) throw new ApiError(409, `Being restored from ${name}`)
  if (begun !== digest) throw new ApiError(409, `Being restored from another backup named ${name}`)
  return { backup, date_started }
}

/** Removes the mark, and returns the name of the backup. Throws 404 if there is none. */
export async function endRestore(db: Database): Promise<string> {
  const ending = textStatement<{ backup: string }>('delete from restores returning backup')
  const { ended } = await batch(db, { ended: ending })
  if (!ended[0]) throw notFound('Restore')
  return ended[0].backup
}

/** The log of delivery attempts: the last ones of each subscription. */
import { sql } from 'drizzle-orm'
import { batch, type Database } from '../../db/client.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { Attempt } from './send.ts'

/** Attempts kept for each subscription. */
export const MAX_ATTEMPTS = 50

/** An attempt as the API presents it. */
type StoredAttempt = Omit<Attempt, 'batch_id' | 'at'> & { date: string; webhook_id: string }

/** The statements that log an attempt and delete the oldest. They do nothing once the subscription is gone. */
export function attemptStatements(id: number, attempt: Attempt): Statement[] {
  const { batch_id, type, at, status, error, milliseconds } = attempt
  const last = sql`(select max(number) from webhook_attempts where webhook_id = ${id})`
  return [
    sqlStatement(sql`insert into webhook_attempts (webhook_id, number, date, batch_id, type, status, error, milliseconds)
      select id, ifnull(${last}, 0) + 1, ${formatDateTime(new Date(at))}, ${batch_id}, ${type}, ${status}, ${error},
        ${milliseconds}
      from webhooks where id = ${id}`),
    sqlStatement(
      sql`delete from webhook_attempts where webhook_id = ${id} and number <= ${last} - ${MAX_ATTEMPTS}`,
    ),
  ]
}

/** The attempts of a subscription, newest first; null when there is no such subscription. */
export async function findAttempts(db: Database, id: number): Promise<StoredAttempt[] | null> {
  const { webhooks, attempts } = await batch(db, {
    webhooks: sqlStatement<{ id: number }>(sql`select id from webhooks where id = ${id}`),
    attempts:
      sqlStatement<StoredAttempt>(sql`select date, batch_id as webhook_id, type, status, error, milliseconds
      from webhook_attempts where webhook_id = ${id} order by number desc`),
  })
  return webhooks.length > 0 ? attempts : null
}

/** The JSON of an attempt. */
export function presentAttempt({ batch_id, type, at, status, error, milliseconds }: Attempt): StoredAttempt {
  return { date: formatDateTime(new Date(at)), webhook_id: batch_id, type, status, error, milliseconds }
}

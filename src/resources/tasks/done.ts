/** How a task is finished, and what is to be done next. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { subjects } from '../../catalogue/subjects.ts'
import { task } from '../../catalogue/task.ts'
import type { Database, Results } from '../../db/client.ts'
import { isOneOf } from '../../db/conditions.ts'
import { selectDefaultCreator } from '../../db/default-creator.ts'
import { jsonWithNumber, recordReplyText } from '../../db/idempotency-store.ts'
import { mergeRecord } from '../../db/merge.ts'
import { idList, selectMissing } from '../../db/references.ts'
import { addLinks, insertRow, newestId, updateRecord } from '../../db/rows.ts'
import { type Statement, sqlStatement } from '../../db/statements.ts'
import { tasks as table, task_contacts } from '../../db/tables/tasks.ts'
import { enterCreation } from '../../db/trail.ts'
import { inputs, pick } from '../../fields/derive.ts'
import { filledText, formatDateTime, named } from '../../fields/values.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import { updatedBody } from '../../http/reply/envelope.ts'
import type { Draft } from '../../http/request/check.ts'
import { selectContactsOf } from '../plain/parts.ts'
import { type TaskRow, tasks } from './resource.ts'

const { due, user_id, result } = inputs(task)

export const completion = named('TaskCompletion', 'The body that finishes a task', {
  result,
  next: named('NextTask', 'What is to be done next', {
    title: filledText().describe('What is to be done'),
    due,
    user_id: user_id.nullish(),
  }).nullish(),
})

type Body = z.output<typeof completion>

export const doneBody = named('TaskFinished', 'The task, and the next one', {
  ...updatedBody.shape,
  created_id: z.int().nullable().describe('Id of the next task; null without one'),
})

/** The columns that a status brings along. */
export function statusChange(current: TaskRow, status: TaskRow['status'] | null | undefined) {
  if (!status || status === current.status) return {}
  const done_date = status === 'done' ? formatDateTime(new Date()) : null
  return { done_date, ...(status === 'open' && { result: null }) }
}

const lookupsOf = (db: Database, id: number, next: Body['next']) => ({
  missing: selectMissing([{ field: 'next.user_id', table: 'users', ids: idList(next?.user_id) }]),
  // The next task is for the same user unless it says otherwise.
  left: sqlStatement<{ id: number }>(sql`select id from users
    where id = coalesce(${next?.user_id ?? null}, (select user_id from tasks where id = ${id})) and is_active = 0`),
  creator: selectDefaultCreator(db),
  contacts: selectContactsOf(task_contacts, id),
})

/** Finishes a task, unless it is done, and creates the next one. Throws 404, 412 and 400. */
export async function finishTask(db: Database, record: RecordRef, draft: Draft<Body>) {
  const { id } = record
  const answer = (created_id: number | null) => ({ status: 200, updated_id: id, created_id })
  const reading = { current: tasks.select({ id }), lookups: lookupsOf(db, id, draft.values.next) }
  const decide = (current: TaskRow, found: Results<ReturnType<typeof lookupsOf>>) => {
    draft.refuseAll(found.missing)
    if (draft.values.next) refuseLeft(draft, 'next.user_id', found.left)
    const { result, next } = draft.complete()
    const isDone = current.status === 'done'
    const columns = { status: 'done' as const, ...statusChange(current, 'done'), result: result ?? null }
    const isFollowed = next && !isDone
    return {
      task: isDone ? null : updateRecord(table, {}, current, { columns }),
      next: isFollowed ? insertNext(current, next, found) : null,
      recording: recordReplyText(record.idempotentCall, record.resource, { text: '?', params: [id] }, () =>
        isFollowed
          ? jsonWithNumber(answer, newestId(table).text)
          : { text: '?', params: [JSON.stringify(answer(null))] },
      ),
    }
  }
  const written = await mergeRecord(db, record, reading, decide, { isQueued: false })
  return answer(written?.results.next?.row[0]?.id ?? null)
}

/** The statements that store the next task. It is about what the first is about. */
function insertNext(
  current: TaskRow,
  { title, due, user_id }: NonNullable<Body['next']>,
  { creator, contacts }: Results<ReturnType<typeof lookupsOf>>,
) {
  const now = formatDateTime(new Date())
  const { appointment_id, store_id } = current
  const columns = {
    ...pick(subjects, current),
    ...{ appointment_id, store_id, title, due: due ?? null, user_id: user_id ?? current.user_id },
    ...{ status: 'open' as const, created_by: creator[0]?.created_by ?? current.created_by },
    ...{ date_created: now, date_updated: now },
  }
  return {
    row: insertRow(table, columns),
    links: addLinks({ contacts: task_contacts }, table, { contacts: contacts.map(({ id }) => id) }),
    trail: enterCreation(table),
  }
}

/** The statement that finds those of `users` who have left. */
export function selectLeft(users: readonly number[]): Statement<{ id: number }> {
  return sqlStatement(sql`select id from users where ${isOneOf(sql`id`, users)} and is_active = 0`)
}

/** Refuses `field` if it names one of them. */
export function refuseLeft(
  draft: Pick<Draft<unknown>, 'refuse'>,
  field: string,
  left: readonly { id: number }[],
): void {
  for (const { id } of left) draft.refuse(field, `Invalid ${field}: ${id} has left`)
}

/** `/api/activities`: list, read, create, update and delete. */
import { sql } from 'drizzle-orm'
import { subjects } from '../../catalogue/subjects.ts'
import type { Database } from '../../db/client.ts'
import { selectCaller } from '../../db/default-creator.ts'
import { fragmentOf, sqlStatement } from '../../db/statements.ts'
import { activities as table } from '../../db/tables/activities.ts'
import { formatDateTime } from '../../fields/values.ts'
import { Router } from '../../http/endpoint/router.ts'
import type { Draft } from '../../http/request/check.ts'
import { type Known, type Sent, writesOf } from '../plain/plain-writes.ts'
import { serveDeletion, serveWrites } from '../plain/writes.ts'
import { serveRecords } from '../records.ts'
import { type ActivityRow, activities } from './resource.ts'

export const activityRoutes = new Router(
  'Activities',
  'What was said and done: notes, calls, messages and meetings, each about contacts or other records. A deleted activity ' +
    'is hidden.',
)

type Body = Sent<typeof activities.fields, typeof activities.parts>

/** Clocks differ, in milliseconds. */
const MAX_SKEW = 60_000

const SUBJECTS = Object.keys(subjects) as (keyof typeof subjects)[]
const TEXTS = ['subject', 'text'] as const
const EDITED = [
  ...(['type', 'direction', 'date', 'subject', 'text', 'contacts', 'users'] as const),
  ...SUBJECTS,
  ...(['store_id', 'minutes', 'is_pinned', 'external_id'] as const),
]

const senderOf = ({ provenance }: Database) => provenance?.actor.id ?? ''

/** The activity of an `external_id` that the caller has sent before, also a deleted one. */
const known = (external_id: string | null | undefined, sent_by: string) =>
  sql`select id from activities where sent_by = ${sent_by} and external_id = ${external_id ?? null} order by id limit 1`

const writes = writesOf(activities, {
  create: {
    takes: [...EDITED, 'created_by'],
    optional: ['date', 'created_by'],
    description:
      'It needs a subject or text, and something that it is about. It happened now, and the user of the key took part, ' +
      'unless the body says otherwise. An `external_id` that the key has sent before is answered with the id of that ' +
      'activity, and nothing is stored.',
  },
  update: {
    takes: EDITED,
    description: 'Only the keys sent change; lists are replaced completely. Author and creator never change.',
  },
  lookups: (_, { db }) => ({ caller: selectCaller(db) }),
  known: ({ external_id }, db) => (external_id ? sqlStatement(known(external_id, senderOf(db))) : null),
  decide(draft, { caller: [caller] }, state, { db }) {
    checkActivity(draft, state)
    if (state.current) return {}
    const { values } = draft
    const users = values.users ?? (caller ? [caller.id] : [])
    const sent_by = senderOf(db)
    return {
      set: {
        date: values.date ?? formatDateTime(new Date()),
        users,
        author: users.length === 0 && !caller ? (db.provenance?.name ?? null) : null,
        sent_by,
      },
      guard: values.external_id ? fragmentOf(sql`not exists (${known(values.external_id, sent_by)})`) : null,
    }
  },
})

/** Refuses an activity without words, about nothing, or that is still to come, unless it was so before. */
function checkActivity(draft: Draft<Body>, { current, changedKeys }: Known<ActivityRow>): void {
  const made: Body = { ...current, ...draft.values }
  const isTouched = (keys: readonly string[]) => !current || keys.some((key) => changedKeys.has(key))
  const isRefused = (keys: readonly string[]) => keys.some((key) => draft.isRefused(key))
  if (isTouched(TEXTS) && !isRefused(TEXTS) && !TEXTS.some((key) => made[key]?.trim()))
    draft.refuse('text', 'Missing text')
  const links = ['contacts', ...SUBJECTS] as const
  const isAboutNothing = !made.contacts?.length && SUBJECTS.every((key) => made[key] == null)
  if (isTouched(links) && !isRefused(links) && isAboutNothing) draft.refuse('contacts', 'Missing contacts')
  const latest = formatDateTime(new Date(Date.now() + MAX_SKEW))
  if (changedKeys.has('date') && made.date && made.date > latest)
    draft.refuse('date', 'Invalid date: must not be later than a minute from now')
}

serveRecords(activityRoutes, activities)
serveWrites(activityRoutes, writes)
serveDeletion(activityRoutes, {
  resource: 'activities',
  table,
  description: 'The activity is hidden; its tombstone is in the change feed.',
})

/** `/admin/contacts/{id}/…`: what is held about a person, their erasure, and what keeps them from being erased. */
import { sql } from 'drizzle-orm'
import { batch, type Database, database } from '../../db/client.ts'
import { sqlStatement } from '../../db/statements.ts'
import { formatDateTime } from '../../fields/values.ts'
import { Router } from '../../http/endpoint/router.ts'
import { notFound } from '../../http/errors.ts'
import { deletedBody, recordBody } from '../../http/reply/envelope.ts'
import { streamText } from '../../http/reply/stream.ts'
import { reopenErasures, selectPerson } from '../erasure/begin.ts'
import { erasePerson } from '../erasure/erase.ts'
import { erasureInput, erasureReport } from '../erasure/schema.ts'
import { storeErasedSoon } from '../erasure/stored-list.ts'
import { ADMINISTRATION } from '../tag.ts'
import { findPerson, selectHold } from './find.ts'
import { hold, holdInput, person } from './schema.ts'

export const peopleRoutes = new Router(...ADMINISTRATION)

const PATH = '/admin/contacts/{id}'
const OF_PERSON = { scope: 'admin:people', resource: 'Contact', part: true } as const

peopleRoutes.get(
  `${PATH}/person`,
  {
    ...OF_PERSON,
    summary: 'Read what is held about a person',
    operationId: 'readPerson',
    description:
      'Every record that links to the contact, deleted ones included, with all that is stored of it. `possible` has records ' +
      'with an equal e-mail address or phone number that no id links: name those that are theirs when the person is erased.',
    readsInBulk: true,
    reply: recordBody(person),
  },
  async (c, input) => {
    const pieces = await findPerson(c.env, database(c.env), input.id())
    return c.body(streamText(c, pieces), 200, { 'Content-Type': 'application/json' })
  },
)

peopleRoutes.post(
  `${PATH}/erase`,
  {
    ...OF_PERSON,
    summary: 'Erase a person',
    operationId: 'erasePerson',
    description:
      'Clears what identifies the person in the contact and in every record that links to it, also texts that others share; ' +
      'ids, dates, amounts and statuses stay. It cannot be undone. The contact then counts as deleted, and an import refuses ' +
      'its lines. Deleted contacts can be erased. A second call goes on with what is left. See [Privacy](/docs/privacy.md).',
    body: erasureInput,
    isOfRestore: true,
    reply: recordBody(erasureReport),
    errors: { 409: 'On hold: a lawsuit' },
  },
  async (c, input) => {
    const draft = await input.body()
    const report = await erasePerson(c.env, database(c.env), input.id(), draft)
    c.executionCtx.waitUntil(storeErasedSoon(c.env))
    return report
  },
)

peopleRoutes.post(
  `${PATH}/hold`,
  {
    ...OF_PERSON,
    summary: 'Keep a person from being erased',
    operationId: 'holdPerson',
    description:
      'Until the hold ends, `erase` answers 409 with the reason. A second call replaces the reason.',
    body: holdInput,
    reply: recordBody(hold),
  },
  async (c, input) => {
    const draft = await input.body()
    const id = input.id()
    const db = database(c.env)
    await requireContact(db, id)
    const { reason } = draft.complete()
    const { held } = await batch(db, {
      row: sqlStatement(sql`insert into contact_holds (contact_id, date, reason)
        select id, ${formatDateTime(new Date())}, ${reason} from contacts where id = ${id} and is_erased = 0
        on conflict do update set reason = excluded.reason`),
      held: selectHold(sql`contact_id = ${id}`),
    })
    if (!held[0]) throw notFound('Contact')
    return held[0]
  },
)

peopleRoutes.delete(
  `${PATH}/hold`,
  {
    ...OF_PERSON,
    summary: 'End the hold of a person',
    operationId: 'releasePerson',
    reply: deletedBody,
  },
  async (c, input) => {
    const id = input.id()
    const db = database(c.env)
    await requireContact(db, id)
    const { ended } = await batch(db, {
      // What was kept for the hold is cleared now, where the others are erased.
      reopened: reopenErasures(id),
      ended: sqlStatement(sql`delete from contact_holds where contact_id = ${id} returning contact_id`),
    })
    if (ended.length === 0) throw notFound('Hold')
    return id
  },
)

/** Throws 404. */
async function requireContact(db: Database, id: number): Promise<void> {
  const { persons } = await batch(db, { persons: selectPerson(id).persons })
  if (persons.length === 0) throw notFound('Contact')
}

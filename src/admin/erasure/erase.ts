/**
 * Erases a person: the contacts at once, merged ones among them, and what links to them in portions. Cron clears what a call
 * leaves.
 */
import type { z } from 'zod'
import { resourceNamed } from '../../catalogue/resources.ts'
import { batch, type Database } from '../../db/client.ts'
import { type Reference, selectMissing } from '../../db/references.ts'
import { formatDateTime } from '../../fields/values.ts'
import { notFound } from '../../http/errors.ts'
import { describeFailure, log } from '../../http/log.ts'
import type { Draft } from '../../http/request/check.ts'
import { AGAIN, beginErasure, onHold, selectPerson } from './begin.ts'
import { clearPerson } from './clear.ts'
import { reportErasure } from './report.ts'
import type { ErasureInput, erasureReport } from './schema.ts'

/** How long D1 keeps what it held, and a backup lasts, in days; and one day more. */
const GONE_AFTER_DAYS = 31

/**
 * Erases the person that a contact stands for. A second call goes on with what is left. Throws 404, 400 for records that do
 * not exist, and 409 if the person is on hold.
 */
export async function erasePerson(
  env: Pick<Env, 'PHOTOS'>,
  db: Database,
  id: number,
  draft: Draft<ErasureInput>,
): Promise<z.output<typeof erasureReport>> {
  const also = draft.values.also ?? []
  const references = also.map(
    ({ resource, id: named }, index): Reference => ({
      field: `also.${index}.id`,
      table: resourceNamed(resource).table,
      ids: [named],
    }),
  )
  const others = also.flatMap((one) => (one.resource === 'contacts' ? one.id : []))
  const { missing, ...person } = await batch(db, {
    ...selectPerson(id, others),
    missing: selectMissing(references),
  })
  const [contact] = person.persons
  if (!contact) throw notFound('Contact')
  draft.refuseAll(missing)
  const { reason } = draft.complete()
  if (person.holds[0]) throw onHold(person.holds[0].reason)
  const erasure = contact.erasure ?? id
  const listed = [{ resource: 'contacts' as const, id }, ...also]
  const left = await beginErasure(db, erasure, reason, listed, { ...AGAIN, same: true })
  try {
    const complete = await clearPerson(env, db, erasure, { found: left, ...AGAIN })
    return { ...(await reportErasure(db, erasure)), gone_by: goneBy(), complete }
  } catch (error) {
    // The person is on the list: cron goes on, and another call says what was cleared.
    log('error', { work: 'erasure', contact: id, ...describeFailure(error) })
    return { erased: [], kept: [], gone_by: goneBy(), complete: false }
  }
}

function goneBy(): string {
  return formatDateTime(new Date(Date.now() + GONE_AFTER_DAYS * 24 * 60 * 60 * 1000)).slice(0, 10)
}

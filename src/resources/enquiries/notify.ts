/**
 * Tells offices of new enquiries by mail: behind the reply to the call that stores one, and by cron where that failed.
 * Imported enquiries are not mailed.
 */
import { type Database, database, mayCall } from '../../db/client.ts'
import { describeFailure, log } from '../../http/log.ts'
import { withDeadline } from '../../net/deadline.ts'
import { mailOf } from './mail.ts'
import {
  beginTry,
  dropMark,
  findDue,
  MAX_TRIES,
  type MailedEnquiry,
  noteSent,
  readNew,
} from './mail-marks.ts'

/** How long one mail may take, in milliseconds: Cloudflare allows 30 seconds after the reply. */
const SEND_MS = 20_000
/** How often noting a mail that was sent is tried, and the pause before the second time in milliseconds. It doubles. */
const NOTE_ATTEMPTS = 5
const NOTE_PAUSE_MS = 200
/** Maximum mails in a run of cron. */
const MAILS_PER_RUN = 30
/** Mails that are sent at the same time: an invocation has six connections. */
const AT_ONCE = 5
/** Calls to D1 of the mails that are sent at the same time: to begin a try, and to note it. */
const CALLS_AT_ONCE = 2 * AT_ONCE

/** What became of a try. */
type Outcome = 'sent' | 'failed' | 'dropped'

/** What sends mails, and the address that they come from. */
interface Mailer {
  binding: SendEmail
  from: string
}

/** Whether a deployment sends mails. */
export function sendsMails(env: Env): boolean {
  return mailerOf(env) !== null
}

function mailerOf({ MAIL: binding, MAIL_FROM: from }: Env): Mailer | null {
  return binding && from ? { binding, from } : null
}

/** Mails an enquiry that was just stored. Never throws: cron tries again. */
export async function mailNewEnquiry(env: Env, id: number): Promise<void> {
  const mailer = mailerOf(env)
  const db = database(env)
  try {
    const mailed = await readNew(db, id)
    if (mailer && mailed) await tryMail(db, mailer, id, mailed)
  } catch (error) {
    logFailure(id, describeFailure(error))
  }
}

/** The work of cron: mails what is due, within the limits of one run. Several runs may work at the same time. */
export async function mailEnquiries(env: Env, now = Date.now): Promise<Record<Outcome, number>> {
  const db = database(env)
  const { expired, due } = await findDue(db, now(), MAILS_PER_RUN)
  for (const id of expired) logFailure(id, { error: 'Not sent, and tried no more' })
  const counts = { sent: 0, failed: 0, dropped: expired.length }
  const mailer = mailerOf(env)
  const runWorker = async () => {
    while (mailer && mayCall(db, CALLS_AT_ONCE)) {
      const id = due.shift()
      if (id === undefined) return
      try {
        const begun = await beginTry(db, id, now())
        if (begun) counts[await tryMail(db, mailer, id, begun.mailed)]++
      } catch (error) {
        logFailure(id, describeFailure(error))
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, runWorker))
  return counts
}

/** Sends the mail of a try that this run has begun, unless there is nothing to report or no recipient any more. */
async function tryMail(
  db: Database,
  { binding, from }: Mailer,
  id: number,
  mailed: MailedEnquiry | undefined,
): Promise<Outcome> {
  if (!mailed?.recipient || !isToBeMailed(mailed)) {
    await dropMark(db, id)
    return 'dropped'
  }
  const mail = mailOf(mailed, { from, to: mailed.recipient })
  try {
    await withDeadline(AbortSignal.timeout(SEND_MS), binding.send(mail))
  } catch (error) {
    const isLast = mailed.tries >= MAX_TRIES
    logFailure(id, { tries: mailed.tries, error: codeOf(error) })
    if (isLast) await dropMark(db, id)
    return isLast ? 'dropped' : 'failed'
  }
  await noteUntilStored(db, id)
  return 'sent'
}

/** Whether an enquiry is still to be mailed: it is no spam, and its sender was not erased. */
function isToBeMailed({ status, notified, is_erased }: MailedEnquiry): boolean {
  return status !== 'spam' && notified === null && !is_erased
}

/** Notes a mail that was sent, several times if that fails: otherwise it would be sent again. */
async function noteUntilStored(db: Database, id: number): Promise<void> {
  const moment = new Date()
  for (let attempt = 1; ; attempt++) {
    try {
      return await noteSent(db, id, moment)
    } catch (error) {
      if (attempt === NOTE_ATTEMPTS) throw error
    }
    await new Promise((resolve) => setTimeout(resolve, NOTE_PAUSE_MS * 2 ** (attempt - 1)))
  }
}

function logFailure(enquiry: number, failure: object): void {
  log('error', { work: 'mailing an enquiry', enquiry, ...failure })
}

/** What may be logged of a mail that was refused: messages quote addresses. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : error instanceof Error ? error.name : typeof error
}

/** Sends mails: behind the reply to the call that gives rise to them, and by cron where that failed. */
import { sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { batch, type Database, database, mayCall } from '../../db/client.ts'
import { sqlStatement } from '../../db/statements.ts'
import { sleep } from '../../http/concurrency/waiting.ts'
import type { App } from '../../http/context.ts'
import { describeFailure, log } from '../../http/log.ts'
import { withDeadline } from '../../net/deadline.ts'
import { beginTry, findDue, MAX_TRIES, type MailKind, type Try } from './marks.ts'

/** How long one mail may take, in milliseconds: Cloudflare allows 30 seconds after the reply. */
const SEND_MS = 20_000
/** How often noting a mail that was sent is tried, and the pause before the second time in milliseconds. It doubles. */
const NOTE_ATTEMPTS = 5
const NOTE_PAUSE_MS = 200
const MAILS_PER_RUN = 30
/** Mails that are sent at the same time: an invocation has six connections. */
const AT_ONCE = 5
/** Calls to D1 of the mails that are sent at the same time: to begin a try, and to note it. */
const CALLS_AT_ONCE = 2 * AT_ONCE

type Outcome = 'sent' | 'failed' | 'dropped'

/** What sends mails, and the address that they come from. */
interface Mailer {
  binding: SendEmail
  from: string
}

function mailerOf({ MAIL: binding, MAIL_FROM: from }: Env): Mailer | null {
  return binding && from ? { binding, from } : null
}

/** Sends mails of a kind that are due, behind the reply of a call. Cron tries again what fails. */
export function mailBehindReply(c: Context<App>, kind: MailKind): void {
  const { env } = c
  if (!mailerOf(env)) return
  const sending = sendMails(env, [kind]).catch((error: unknown) =>
    log('error', { work: kind.work, ...describeFailure(error) }),
  )
  c.executionCtx.waitUntil(sending)
}

/** Sends what is due, within the limits of one run. Several runs may work at the same time. */
export async function sendMails(env: Env, kinds: readonly MailKind[], now = Date.now) {
  const db = database(env)
  const { expired, due } = await findDue(db, kinds, now(), MAILS_PER_RUN)
  for (const { kind, id } of expired) logFailure(kind, id, { error: 'Not sent, and tried no more' })
  const counts = { sent: 0, failed: 0, dropped: expired.length }
  const mailer = mailerOf(env)
  const runWorker = async () => {
    while (mailer && mayCall(db, CALLS_AT_ONCE)) {
      const next = due.shift()
      if (!next) return
      const { kind, id } = next
      try {
        const begun = await beginTry(db, kind, id, now())
        if (begun) counts[await tryMail(db, mailer, next, begun)]++
      } catch (error) {
        logFailure(kind, id, describeFailure(error))
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
  { kind, id }: { kind: MailKind; id: number },
  { tries, isCurrent, row }: Try<unknown>,
): Promise<Outcome> {
  const end = { mark: sqlStatement(sql`${sql.raw(kind.end)} where ${isCurrent}`) }
  const mail = row === undefined ? null : kind.make(row, from)
  if (!mail) {
    await batch(db, end)
    return 'dropped'
  }
  try {
    await withDeadline(AbortSignal.timeout(SEND_MS), binding.send(mail))
  } catch (error) {
    const isLast = tries >= MAX_TRIES
    const code = codeOf(error)
    logFailure(kind, id, { tries, error: code ?? nameOf(error) })
    const refused = code === null ? null : (kind.noteRefused?.(isCurrent) ?? null)
    if (isLast || refused) await batch(db, isLast ? end : { refused })
    return isLast ? 'dropped' : 'failed'
  }
  await untilStored(db, kind.noteSent(row, new Date(), isCurrent))
  return 'sent'
}

/** Notes a mail that was sent, several times if that fails: otherwise it would be sent again. */
async function untilStored(db: Database, statements: ReturnType<MailKind['noteSent']>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await batch(db, statements)
      return
    } catch (error) {
      if (attempt === NOTE_ATTEMPTS) throw error
    }
    await sleep(NOTE_PAUSE_MS * 2 ** (attempt - 1))
  }
}

function logFailure({ name, work }: MailKind, id: number, failure: object): void {
  log('error', { work, [name]: id, ...failure })
}

/** The code by which the mail service refuses a mail; null if its answer is not known. */
function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** What may be logged of a failure: messages quote addresses. */
const nameOf = (error: unknown) => (error instanceof Error ? error.name : typeof error)

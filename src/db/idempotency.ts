/**
 * Idempotency keys: who holds one, and what was answered. `http/idempotency.ts` tells the calls by them.
 *
 * A key is held by the token of one call, for a while that every sign of life prolongs. Whoever comes later takes over
 * what is left; the statements of the one before then undo their whole batch, as the token is another. So a key never
 * stands for two writes, however long a call was thought to be dead.
 */
import { sql } from 'drizzle-orm'
import type { Holder, KeptKey, KeyKeeper, Once } from '../http/app.ts'
import { describeFailure, log } from '../http/log.ts'
import { letOthersIn } from '../http/turns.ts'
import { batch, type Database, database, type Statement } from './client.ts'
import { stampOf } from './stamps.ts'
import { type Piece, plain } from './statements.ts'

/** How long a call holds its key without a sign of life, in milliseconds. */
const HELD_MS = 30_000
/** How long an answer is kept, in milliseconds. */
const KEPT_MS = 24 * 60 * 60 * 1000
/** Rows looked at in one portion of forgetting, and most portions of one run. */
const PORTION = 5000
const MAX_PORTIONS = 100

const SELECT = `select token, fingerprint, progress, answer, told, cursor, names from idempotency_keys
  where digest = ?`

/** What the Router asks of keys. */
export const keyKeeper: KeyKeeper = {
  // A second time in case that the answer of the first was lost: the token is the same.
  take: (env, holder) => take(env, holder).catch(() => take(env, holder)),
  hold: (env, holder) =>
    hold(env, holder).catch((error) => {
      log('error', { work: 'holding an idempotency key', ...describeFailure(error) })
    }),
  leave: (env, holder) =>
    leave(env, holder)
      .catch(() => leave(env, holder))
      .catch((error) => {
        log('error', { work: 'leaving an idempotency key', ...describeFailure(error) })
        return null
      }),
}

async function take(env: Env, { digest, fingerprint, token }: Holder): Promise<KeptKey> {
  const now = Date.now()
  const [, , [kept]] = await batch(database(env), [
    // So that a key that is used again has a new id: keys are forgotten in the order of their ids.
    plain('delete from idempotency_keys where digest = ? and expires <= ?', [digest, now]),
    plain(
      `insert into idempotency_keys (digest, fingerprint, token, held_until, expires) values (?1, ?2, ?3, ?4, ?4)
      on conflict (digest) do update set token = excluded.token, held_until = excluded.held_until
      where answer is null and held_until <= ?5 and fingerprint = excluded.fingerprint`,
      [digest, fingerprint, token, now + HELD_MS, now],
    ),
    plain<KeptKey>(SELECT, [digest]),
  ])
  if (!kept) throw new Error('An idempotency key was not kept')
  return kept
}

async function hold(env: Env, { digest, token }: Holder): Promise<void> {
  const until = Date.now() + HELD_MS
  await batch(database(env), [
    plain(
      `update idempotency_keys set held_until = ?1, expires = max(expires, ?1)
      where digest = ?2 and token = ?3 and answer is null`,
      [until, digest, token],
    ),
  ])
}

async function leave(env: Env, { digest, token }: Holder): Promise<KeptKey | null> {
  const isOurs = 'digest = ? and token = ? and answer is null'
  const [, , [kept]] = await batch(database(env), [
    plain(`delete from idempotency_keys where ${isOurs} and progress is null`, [digest, token]),
    plain(`update idempotency_keys set held_until = 0 where ${isOurs}`, [digest, token]),
    plain<KeptKey>(SELECT, [digest]),
  ])
  return kept ?? null
}

/**
 * The statement, for the batch of a write, that records the answer of its call; none where that needs none. It undoes the
 * batch when the call does not hold its key any more.
 * @param resource whose record the answer is about
 * @param id its id, as SQL
 * @param body makes the body of the answer for that id
 */
export function recordAnswer(
  once: Once | undefined,
  resource: string,
  id: Piece,
  body: (id: number) => unknown,
): Statement[] {
  if (!once) return []
  const answer = fillIn(body, 'written.id')
  return [
    keep(once, { text: `(select ${id.text} as id) written`, params: id.params }, [
      ['answer', answer],
      ['progress', { text: 'null', params: [] }],
      ['told', { text: '?', params: [once.tellings()] }],
      ['cursor, names', { text: stampOf(resource, 'written.id'), params: [] }],
    ]),
  ]
}

/**
 * The statement, for the batch of a part of a call's work, that records what is done; none where the call has no key.
 * It undoes the batch like `recordAnswer`, and holds the key for another while.
 * @param number a number that only the batch knows, as SQL
 * @param done makes what is done of that number
 */
export function recordProgress(
  once: Once | undefined,
  number: Piece,
  done: (number: number) => unknown,
): Statement[] {
  if (!once) return []
  const source = { text: `(select ${number.text} as number) written`, params: number.params }
  return [keep(once, source, [['progress', fillIn(done, 'written.number')]])]
}

/** Forgets the keys whose time is over. They expire in the order of their ids, but for a few. */
export async function forgetKeys(db: Database, now = Date.now()): Promise<void> {
  let forgotten = 0
  for (let portion = 0; portion < MAX_PORTIONS; portion++) {
    await letOthersIn()
    const [{ meta }] = await batch(db, [
      db.run(sql`delete from idempotency_keys where expires <= ${now}
        and id in (select id from idempotency_keys order by id limit ${PORTION})`),
    ])
    forgotten += meta.changes
    if (meta.changes === 0) break
  }
  log('info', { job: 'forgetting idempotency keys', forgotten })
}

/** Writes columns of a key, from a row `written`. `token` becomes null, which NOT NULL refuses, where another call has it. */
function keep(once: Once, source: Piece, columns: [names: string, value: Piece][]): Statement {
  const now = Date.now()
  const names = columns.map(([name]) => name).join(', ')
  const sets = ['held_until', 'expires', ...names.split(', ')].map((name) => `${name} = excluded.${name}`)
  return plain(
    `insert into idempotency_keys (digest, fingerprint, token, held_until, expires, ${names})
    select ?, ?, ?, ?, ?, ${columns.map(([, { text }]) => text).join(', ')} from ${source.text} where true
    on conflict (digest) do update set
      token = case when idempotency_keys.token = excluded.token and idempotency_keys.answer is null
        then excluded.token end,
      ${sets.join(', ')}`,
    [
      once.digest,
      once.fingerprint,
      once.token,
      now + HELD_MS,
      now + KEPT_MS,
      ...columns.flatMap(([, { params }]) => params),
      ...source.params,
    ],
  )
}

/**
 * JSON of what `make` makes of a number that only the transaction knows, as SQL: a random number holds its place, so that
 * nothing that a caller has sent is taken for it.
 */
function fillIn(make: (number: number) => unknown, number: string): Piece {
  const blank = randomBlank()
  const parts = JSON.stringify(make(blank)).split(String(blank))
  return { text: parts.map(() => '?').join(` || ${number} || `), params: parts }
}

/** 15 digits. */
function randomBlank(): number {
  const [high = 0, low = 0] = crypto.getRandomValues(new Uint32Array(2))
  return 10 ** 14 + ((high * 2 ** 20 + (low % 2 ** 20)) % (9 * 10 ** 14))
}

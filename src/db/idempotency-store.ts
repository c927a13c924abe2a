/**
 * Idempotency keys: who holds one, and what was answered. `http/concurrency/idempotency.ts` tells the calls by them.
 *
 * A key is held by the token of one call, for a while that every sign of life prolongs. Whoever comes later takes over
 * what is left; the statements of the one before then undo their whole batch, as the token is another. So a key never
 * stands for two writes, however long a call was thought to be dead.
 */
import type { IdempotencyStore, IdempotentCall, KeyHolder, StoredIdempotencyKey } from '../http/context.ts'
import { describeFailure, log } from '../http/log.ts'
import { batch, database, runStatement } from './client.ts'
import { findViolation } from './errors.ts'
import { recordVersionColumns } from './record-versions.ts'
import { type SqlFragment, type Statement, textStatement } from './statements.ts'

/** How long a call holds its key without a sign of life, in milliseconds. */
const CLAIM_MS = 30_000
/** How long an answer is kept, in milliseconds. */
const RETENTION_MS = 24 * 60 * 60 * 1000
/** The columns that `bytes` is the size of. */
const SIZED_COLUMNS = ['answer', 'progress', 'told']

const SELECT = `select token, fingerprint, progress, answer, told, cursor, names from idempotency_keys
  where digest = ?`

/** What the Router asks of keys. */
export const idempotencyStore: IdempotencyStore = {
  // A second time in case that the answer of the first was lost: the token is the same.
  claim: (env, holder) =>
    claim(env, holder).catch((error) => {
      if (findViolation(error)) throw error
      return claim(env, holder)
    }),
  extend: (env, holder) =>
    extendClaim(env, holder).catch((error) => {
      log('error', { work: 'holding an idempotency key', ...describeFailure(error) })
    }),
  release: (env, holder) =>
    release(env, holder)
      .catch(() => release(env, holder))
      .catch((error) => {
        log('error', { work: 'leaving an idempotency key', ...describeFailure(error) })
        return null
      }),
}

async function claim(
  env: Env,
  { digest, fingerprint, token, apiKey }: KeyHolder,
): Promise<StoredIdempotencyKey> {
  const now = Date.now()
  const { kept: stored } = await batch(database(env), {
    // So that a key that is used again has a new id: keys are forgotten in the order of their ids.
    forgotten: textStatement('delete from idempotency_keys where digest = ? and expires <= ?', [digest, now]),
    taken: textStatement(
      `insert into idempotency_keys (digest, fingerprint, token, held_until, expires, api_key)
      values (?1, ?2, ?3, ?4, ?4, ?6)
      on conflict (digest) do update set token = excluded.token, held_until = excluded.held_until
      where answer is null and held_until <= ?5 and fingerprint = excluded.fingerprint`,
      [digest, fingerprint, token, now + CLAIM_MS, now, apiKey],
    ),
    kept: textStatement<StoredIdempotencyKey>(SELECT, [digest]),
  })
  if (!stored[0]) throw new Error('An idempotency key was not kept')
  return stored[0]
}

async function extendClaim(env: Env, { digest, token }: KeyHolder): Promise<void> {
  const until = Date.now() + CLAIM_MS
  const holding = textStatement(
    `update idempotency_keys set held_until = ?1, expires = max(expires, ?1)
    where digest = ?2 and token = ?3 and answer is null`,
    [until, digest, token],
  )
  await runStatement(database(env), holding)
}

async function release(env: Env, { digest, token }: KeyHolder): Promise<StoredIdempotencyKey | null> {
  const isOurs = 'digest = ? and token = ? and answer is null'
  const { kept: stored } = await batch(database(env), {
    removed: textStatement(`delete from idempotency_keys where ${isOurs} and progress is null`, [
      digest,
      token,
    ]),
    released: textStatement(`update idempotency_keys set held_until = 0 where ${isOurs}`, [digest, token]),
    kept: textStatement<StoredIdempotencyKey>(SELECT, [digest]),
  })
  return stored[0] ?? null
}

/**
 * The statement, for the batch of a write, that records the answer of its call; none where that needs none. It undoes the
 * batch when the call does not hold its key any more.
 * @param resource whose record the answer is about
 * @param id its id, as SQL
 * @param body makes the body of the answer for that id
 */
export function recordReply(
  idempotentCall: IdempotentCall | undefined,
  resource: string,
  id: SqlFragment,
  body: (id: number) => unknown,
): Statement[] {
  if (!idempotentCall) return []
  const answer = jsonWithNumber(body, 'written.id')
  return [
    updateKey(
      idempotentCall,
      { text: `(select ${id.text} as id) written`, params: id.params },
      {
        columns: ['answer', 'progress', 'told', 'cursor', 'names'],
        values: {
          text: `${answer.text} as answer, null as progress, ? as told, ${recordVersionColumns(resource, 'written.id')}`,
          params: [...answer.params, idempotentCall.replyMetadata()],
        },
      },
    ),
  ]
}

/**
 * The statement, for the batch of a part of a call's work, that records what is done; none where the call has no key.
 * It undoes the batch like `recordAnswer`, and holds the key for another while.
 * @param number a number that only the batch knows, as SQL
 * @param done makes what is done of that number
 */
export function recordProgress(
  idempotentCall: IdempotentCall | undefined,
  number: SqlFragment,
  done: (number: number) => unknown,
): Statement[] {
  if (!idempotentCall) return []
  const source = { text: `(select ${number.text} as number) written`, params: number.params }
  const { text, params } = jsonWithNumber(done, 'written.number')
  return [
    updateKey(idempotentCall, source, {
      columns: ['progress'],
      values: { text: `${text} as progress`, params },
    }),
  ]
}

/** Columns of a key, and what they are to hold, as SQL over a row `written`. */
interface KeyUpdate {
  columns: string[]
  values: SqlFragment
}

/** Writes columns of a key, from a row `written`. `token` becomes null, which NOT NULL refuses, where another call has it. */
function updateKey(
  idempotentCall: IdempotentCall,
  source: SqlFragment,
  { columns, values }: KeyUpdate,
): Statement {
  const now = Date.now()
  const sizes = SIZED_COLUMNS.filter((name) => columns.includes(name))
  const bytes = sizes.map((name) => `ifnull(length(cast(kept.${name} as blob)), 0)`).join(' + ')
  const sets = ['held_until', 'expires', 'bytes', ...columns].map((name) => `${name} = excluded.${name}`)
  return textStatement(
    `insert into idempotency_keys
      (digest, fingerprint, token, api_key, held_until, expires, bytes, ${columns.join(', ')})
    select ?, ?, ?, ?, ?, ?, ${bytes}, ${columns.map((name) => `kept.${name}`).join(', ')}
    from (select ${values.text} from ${source.text}) kept where true
    on conflict (digest) do update set
      token = case when idempotency_keys.token = excluded.token and idempotency_keys.answer is null
        then excluded.token end,
      ${sets.join(', ')}`,
    [
      idempotentCall.digest,
      idempotentCall.fingerprint,
      idempotentCall.token,
      idempotentCall.apiKey,
      now + CLAIM_MS,
      now + RETENTION_MS,
      ...values.params,
      ...source.params,
    ],
  )
}

/**
 * JSON of what `make` returns for a number that only the transaction knows, as SQL. A random number stands for it
 * meanwhile, so nothing that a client has sent is replaced. Storing the answer once the id is known would cost a round
 * trip more (3 instead of 2 for a new listing), and a crash in between would lose the answer of a stored write.
 */
function jsonWithNumber(make: (number: number) => unknown, number: string): SqlFragment {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  const placeholder = Number.MAX_SAFE_INTEGER - random
  return {
    text: `replace(?, ?, ${number})`,
    params: [JSON.stringify(make(placeholder)), String(placeholder)],
  }
}

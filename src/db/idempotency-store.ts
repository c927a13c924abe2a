/**
 * Stores idempotency keys: which call has claimed a key, and the reply recorded under it.
 * `http/concurrency/idempotency.ts` uses it to recognise repeated calls.
 *
 * A call claims its key with a random token for a limited time, and each sign of progress extends the claim. After that
 * time, another call may take the claim over. The statements of the first call then roll back their batch, because the
 * token differs. So a key never stands for two writes, even if a call is wrongly taken for dead.
 *
 * Unclaimed calls only claim a key when they record their reply. One that comes second rolls back its batch likewise.
 */
import type { IdempotencyStore, IdempotentCall, KeyHolder, StoredIdempotencyKey } from '../http/context.ts'
import { describeFailure, log } from '../http/log.ts'
import { batch, database, runStatement } from './client.ts'
import { findViolation } from './errors.ts'
import { recordVersionColumns } from './record-versions.ts'
import { type SqlFragment, type Statement, textStatement } from './statements.ts'

/** How long a claim lasts without an extension, in milliseconds. */
const CLAIM_MS = 30_000
/** How long a reply is stored, in milliseconds. */
const RETENTION_MS = 24 * 60 * 60 * 1000
/** Bytes of all stored replies up to which those of visitors are stored, a little below the limit of 2 GB. */
const MAX_BYTES_FOR_VISITORS = 1_999_000_000
/** The columns whose size is counted in `bytes`. */
const SIZED_COLUMNS = ['answer', 'progress', 'told']

/** The statement that reads the key with a digest, unless it has expired at `now`. */
const selectKey = (digest: string, now: number) =>
  textStatement<StoredIdempotencyKey>(
    `select token, fingerprint, progress, answer, told as metadata, cursor, names from idempotency_keys
    where digest = ? and expires > ?`,
    [digest, now],
  )

/** The store that the Router uses. */
export const idempotencyStore: IdempotencyStore = {
  // Retried, as the reply of the first attempt may be lost. The token makes a second claim harmless.
  claim: (env, holder) =>
    claim(env, holder).catch((error) => {
      if (findViolation(error)) throw error
      return claim(env, holder)
    }),
  find: async (env, digest) => {
    const { stored } = await batch(database(env), { stored: selectKey(digest, Date.now()) })
    return stored[0] ?? null
  },
  extend: (env, holder) =>
    extendClaim(env, holder).catch((error) => {
      log('error', { work: 'extending the claim of an idempotency key', ...describeFailure(error) })
    }),
  release: (env, holder) =>
    release(env, holder)
      .catch(() => release(env, holder))
      .catch((error) => {
        log('error', { work: 'releasing an idempotency key', ...describeFailure(error) })
        return null
      }),
}

async function claim(env: Env, { digest, fingerprint, token, apiKey }: KeyHolder) {
  const now = Date.now()
  const { stored } = await batch(database(env), {
    expired: deleteExpired(digest, now),
    claimed: textStatement(
      `insert into idempotency_keys (digest, fingerprint, token, held_until, expires, api_key)
      values (?1, ?2, ?3, ?4, ?4, ?6)
      on conflict (digest) do update set token = excluded.token, held_until = excluded.held_until
      where answer is null and held_until <= ?5 and fingerprint = excluded.fingerprint`,
      [digest, fingerprint, token, now + CLAIM_MS, now, apiKey],
    ),
    stored: selectKey(digest, now),
  })
  if (!stored[0]) throw new Error('An idempotency key was not stored')
  return stored[0]
}

/** The statement that deletes an expired key. A reused key gets a new id, as keys expire in the order of their ids. */
function deleteExpired(digest: string, now: number): Statement {
  return textStatement('delete from idempotency_keys where digest = ? and expires <= ?', [digest, now])
}

async function extendClaim(env: Env, { digest, token }: KeyHolder): Promise<void> {
  const until = Date.now() + CLAIM_MS
  const extension = textStatement(
    `update idempotency_keys set held_until = ?1, expires = max(expires, ?1)
    where digest = ?2 and token = ?3 and answer is null`,
    [until, digest, token],
  )
  await runStatement(database(env), extension)
}

async function release(env: Env, { digest, token }: KeyHolder): Promise<StoredIdempotencyKey | null> {
  const isOurs = 'digest = ? and token = ? and answer is null'
  const { stored } = await batch(database(env), {
    removed: textStatement(`delete from idempotency_keys where ${isOurs} and progress is null`, [
      digest,
      token,
    ]),
    released: textStatement(`update idempotency_keys set held_until = 0 where ${isOurs}`, [digest, token]),
    stored: selectKey(digest, 0),
  })
  return stored[0] ?? null
}

/**
 * The statements that record the reply of a call in the batch of its write; none if the call has no idempotency
 * key. They roll the batch back if the call has lost its claim.
 * @param resource resource of the record in the reply
 * @param id id of the record, as SQL
 * @param body makes the body of the reply for that id
 */
export function recordReply(
  idempotentCall: IdempotentCall | undefined,
  resource: string,
  id: SqlFragment,
  body: (id: number) => unknown,
): Statement[] {
  return recordReplyText(idempotentCall, resource, id, () => jsonWithNumber(body, 'written.id'))
}

/**
 * The same for a reply that only the transaction knows.
 * @param makeAnswer makes the body as SQL, in which `written.id` is the id
 */
export function recordReplyText(
  idempotentCall: IdempotentCall | undefined,
  resource: string,
  id: SqlFragment,
  makeAnswer: () => SqlFragment,
): Statement[] {
  if (!idempotentCall) return []
  const answer = makeAnswer()
  const { digest, unclaimed } = idempotentCall
  return [
    ...(unclaimed ? [deleteExpired(digest, Date.now())] : []),
    updateKey(
      idempotentCall,
      { text: `(select cast(${id.text} as integer) as id) written`, params: id.params },
      {
        columns: ['answer', 'progress', 'told', 'cursor', 'names', 'resource', 'record_id'],
        values: {
          text: `${answer.text} as answer, null as progress, ? as told, ${recordVersionColumns(resource, 'written.id')},
            ? as resource, written.id as record_id`,
          params: [...answer.params, idempotentCall.replyMetadata(), resource],
        },
      },
    ),
  ]
}

/**
 * The statement that records the progress of a call with several transactions; no statement if the call has no
 * idempotency key. It extends the claim, and rolls the batch back if the call has lost it.
 * @param number a number that only the batch knows, as SQL
 * @param done makes the progress to store from that number; it is stored as JSON
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

/**
 * Writes columns of a key, with `values` as SQL over a row `written`. If another call has claimed the key, `token` becomes
 * null, which violates NOT NULL and rolls the batch back.
 */
function updateKey(
  idempotentCall: IdempotentCall,
  source: SqlFragment,
  { columns, values }: { columns: string[]; values: SqlFragment },
): Statement {
  const now = Date.now()
  const room = roomFor(idempotentCall)
  const sizes = SIZED_COLUMNS.filter((name) => columns.includes(name))
  const bytes = sizes.map((name) => `ifnull(length(cast(kept.${name} as blob)), 0)`).join(' + ')
  const sets = ['held_until', 'expires', 'bytes', ...columns].map((name) => `${name} = excluded.${name}`)
  return textStatement(
    `insert into idempotency_keys
      (digest, fingerprint, token, api_key, held_until, expires, bytes, ${columns.join(', ')})
    select ?, ?, ?, ?, ?, ?, ${bytes}, ${columns.map((name) => `kept.${name}`).join(', ')}
    from (select ${values.text} from ${source.text}) kept where ${room.text}
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
      ...room.params,
    ],
  )
}

/** The condition for recording the reply of a call: always, but for visitors, whose calls are done without room, too. */
function roomFor({ apiKey, unclaimed }: IdempotentCall): SqlFragment {
  const maxKeys = unclaimed?.maxKeys
  if (maxKeys === undefined) return { text: 'true', params: [] }
  return {
    text: `ifnull((select keys from idempotency_usage where api_key = ?), 0) < ?
      and (select bytes from idempotency_total) < ?`,
    params: [apiKey, maxKeys, MAX_BYTES_FOR_VISITORS],
  }
}

/**
 * JSON of what `make` returns for a number that only the transaction knows, as SQL. A random number stands for it
 * meanwhile, so nothing that a client has sent is replaced. Storing the answer once the id is known would cost a round
 * trip more (3 instead of 2 for a new listing), and a crash in between would lose the answer of a stored write.
 */
export function jsonWithNumber(make: (number: number) => unknown, number: string): SqlFragment {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1))
  const placeholder = Number.MAX_SAFE_INTEGER - random
  return {
    text: `replace(?, ?, ${number})`,
    params: [JSON.stringify(make(placeholder)), String(placeholder)],
  }
}

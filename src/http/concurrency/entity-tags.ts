/**
 * Entity tags (RFC 9110, 8.8.3), such as `"482-9f2c41ab03d7"`. The part before the dash is the cursor of the record
 * in the change feed, which rises with every change. The part after it is a digest of the representation.
 *
 * `If-None-Match` is about a reply, so it compares the whole tag. `If-Match` is about the record, so it compares the
 * cursor only: any representation will do, and so will a tag that a proxy has altered.
 *
 * Handlers read and write the record of `input.record()`; the Router does the rest.
 */
import { hash } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import type { App, EntityTags, IdempotentCall, RecordVersion } from '../context.ts'
import { rememberDigests } from '../digests.ts'
import { preconditionFailed } from '../errors.ts'
import { basesOf, publicUrlBuilder } from '../urls.ts'
import representations from './representations.json' with { type: 'json' }

/** Records the version of the affected record; the Router derives the ETag from it. */
type ReportVersion = (recordVersion: RecordVersion) => void

/** What a write needs to know about its call. */
export interface WriteContext {
  reportVersion: ReportVersion
  /** Set if the call sent an idempotency key. */
  idempotentCall?: IdempotentCall
}

/** The record of a call. */
export interface RecordRef extends WriteContext {
  /** The name in the message of 404. */
  name: string
  /** Its path after `/api/`, without the id. */
  resource: string
  id: number
  /** Whether the caller may write it, but not read it. */
  isUnreadable?: boolean
  /** The tags of `If-Match`; undefined without one. */
  ifMatch: EntityTags | undefined
}

/** Maximum length of the header in characters: about a hundred tags. */
const MAX_LENGTH = 8192
/** What proxies add to the tag of a reply that they compress. */
const ENCODED = /[-;](?:gzip|br|zstd|deflate)$/
const ONE_TAG = /[\t ,]*(W\/)?"([!#-~\x80-\xff]*)"[\t ]*(?=,|$)/y

const entityTags = z
  .string()
  .max(MAX_LENGTH)
  .transform((value, issues): EntityTags => {
    const tags = parseTags(value)
    if (tags) return tags === '*' ? tags : tags.map(({ tag }) => tag)
    issues.addIssue({ code: 'custom', message: 'must be * or entity tags in quotes, separated by commas' })
    return z.NEVER
  })

export const ifMatch = entityTags.describe(
  'Writes only if the record still has the version of one of these `ETag`s, in any representation; `*` accepts any',
)
export const ifNoneMatch = entityTags.describe('Answers 304 if the reply would have one of these `ETag`s')

/** The facts of an endpoint that decide about tags, and idempotency keys. */
export interface Tagged {
  method: string
  audience: string
  contract: { resource?: string; part?: true; isTagged?: true }
}

/** How an endpoint uses tags: which condition it accepts, and whether it sends the tag of a record. */
export interface TagPolicy {
  header?: 'If-Match' | 'If-None-Match'
  sends: boolean
}

/** Decides how an endpoint uses tags. Lists, lookups and most admin endpoints do not use them. */
export function tagPolicyOf({ method, audience, contract }: Tagged): TagPolicy {
  if (audience !== 'api' && !contract.isTagged) return { sends: false }
  const isWhole = contract.resource !== undefined && !contract.part
  switch (method) {
    case 'get':
      return isWhole ? { header: 'If-None-Match', sends: true } : { sends: false }
    case 'put':
      return { header: 'If-Match', sends: true }
    case 'delete':
      return { header: 'If-Match', sends: !isWhole }
    default:
      return isWhole ? { header: 'If-Match', sends: true } : { sends: true }
  }
}

/** The resource in the path of a record: `/api/listings/{id}/photos` → `listings`, `/office/offers/{id}` → `offers`. */
export function resourceInPath(path: string): string {
  return path.slice(path.indexOf('/', 1) + 1, path.indexOf('/{'))
}

/** Throws 412 unless the version of the record satisfies `If-Match`. */
export function requireMatch({ ifMatch: expected }: RecordRef, { cursor }: RecordVersion): void {
  const cursors = acceptedCursors(expected)
  if (cursors && !cursors.includes(cursor)) throw preconditionFailed()
}

/** The cursors that `If-Match` accepts; undefined if it accepts any. */
export function acceptedCursors(expected: EntityTags | undefined): number[] | undefined {
  if (expected === undefined || expected === '*') return undefined
  return expected.flatMap((tag) => {
    const [, cursor] = /^(-?\d{1,15})-/.exec(tag) ?? []
    return cursor === undefined ? [] : [Number(cursor)]
  })
}

/**
 * Adds the tag of the reported record to a successful reply. Returns 304 instead if the client already has that reply.
 * @param fields value of the filter `fields`, which selects the representation
 */
export function tagReply(c: Context<App>, reply: Response, fields: unknown): Response {
  const recordVersion = c.get('recordVersion')
  if (!recordVersion) return reply
  const tag = tagOf(recordVersion, representationOf(c), fields ?? null)
  // `c.header()` would copy the finished response for each header.
  reply.headers.set('ETag', `"${tag}"`)
  if (!includesTag(c.get('headers')?.['If-None-Match'], tag)) return reply
  reply.headers.delete('Content-Type')
  return new Response(null, { status: 304, headers: reply.headers })
}

/**
 * Replies with a record as a document that also shows other data: its tag is the cursor and a hash of the bytes. Returns 304
 * if the client has it.
 */
export function replyWithDocument(
  c: Context<App>,
  document: string,
  { type, version }: { type: string; version: RecordVersion | null },
): Response {
  const tag = `${version?.cursor ?? 0}-${hash('sha256', document).slice(0, 12)}`
  c.header('ETag', `"${tag}"`)
  if (includesTag(c.get('headers')?.['If-None-Match'], tag)) return c.body(null, 304)
  return c.body(document, 200, { 'Content-Type': type })
}

/** Whether `tag`, without quotes, is among the tags that the client sent, weak or not. */
export function includesTag(known: EntityTags | undefined, tag: string): boolean {
  return known === '*' || known?.includes(tag) === true
}

/** What a representation depends on, apart from the record. */
export interface Representation {
  code: string
  /** How public URLs begin. */
  base: string
}

export function representationOf(c: Context<App>): Representation {
  return { code: representations, base: basesOf(publicUrlBuilder(c)).join(' ') }
}

/**
 * The tag of a record in a representation, without quotation marks.
 * @param fields value of the filter `fields`; null for the standard representation
 */
export function tagOf(
  { cursor, names }: RecordVersion,
  { code, base }: Representation,
  fields: unknown = null,
): string {
  return `${cursor}-${digestOf(JSON.stringify([code, names, base, fields])).slice(0, 12)}`
}

/** Nearly all replies share a few. */
const digestOf = rememberDigests(100)

/** An entity tag without its quotation marks. */
interface EntityTag {
  tag: string
  isWeak: boolean
}

/** Parses a list of entity tags, without what proxies add to them; null if it is malformed or empty. */
export function parseTags(value: string): '*' | EntityTag[] | null {
  if (value.trim() === '*') return '*'
  const tags: EntityTag[] = []
  let end = 0
  ONE_TAG.lastIndex = 0
  for (let found = ONE_TAG.exec(value); found; found = ONE_TAG.exec(value)) {
    tags.push({ tag: (found[2] ?? '').replace(ENCODED, ''), isWeak: found[1] !== undefined })
    end = ONE_TAG.lastIndex
  }
  return tags.length > 0 && /^[\t ,]*$/.test(value.slice(end)) ? tags : null
}

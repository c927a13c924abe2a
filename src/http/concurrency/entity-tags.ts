/**
 * Entity tags (RFC 9110, 8.8.3), such as `"482-9f2c41ab03d7"`. Before the dash stands the state of the record: its cursor
 * in the feed of changes, another one after every change of what is shown. Behind it stands the form: a digest of all else
 * that an answer is made of. `If-None-Match` means an answer, and so the whole tag; `If-Match` means the record, and so
 * the state alone, in whatever form it was read, and whatever a proxy has done to the tag since.
 *
 * A handler reads and writes its record as `input.record()`, and the Router does the rest.
 */
import { createHash } from 'node:crypto'
import type { Context } from 'hono'
import { z } from 'zod'
import type { App, EntityTags, IdempotentCall, RecordVersion } from '../context.ts'
import { preconditionFailed } from '../errors.ts'
import { publicBase } from '../urls.ts'
import representations from './representations.json' with { type: 'json' }

/** Takes what a record is at once a call knows it: its answer carries the tag. */
export type ReportVersion = (stamp: RecordVersion) => void

/** What a write owes to its call. */
export interface WriteContext {
  reportVersion: ReportVersion
  /** Set where the call came with an idempotency key. */
  idempotentCall?: IdempotentCall
}

/** The record that a call is about. */
export interface RecordRef extends WriteContext {
  /** What 404 calls it. */
  name: string
  /** Its path after `/api/`, without the id. */
  resource: string
  id: number
  /** What `If-Match` asks of it; undefined: nothing. */
  ifMatch: EntityTags | undefined
}

/** Longest header, in characters: some hundred tags. */
const MAX_LENGTH = 8192
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
  'Writes only if the record still is what one of these `ETag`s was sent with, in whatever form; `*` stands for any',
)
export const ifNoneMatch = entityTags.describe('Answers 304 where the answer would have one of these `ETag`s')

/** What an endpoint declares that decides on its tags. */
interface Tagged {
  method: string
  area: string
  contract: { resource?: string; part?: true }
}

/** What tags mean to an endpoint: it sends them when it reads or writes a record, and takes those of a record that exists. */
export interface TagPolicy {
  header?: 'If-Match' | 'If-None-Match'
  sends: boolean
}

/** Lists and lookups have no tags, nor has what administrators write. */
export function tagPolicyOf({ method, area, contract }: Tagged): TagPolicy {
  if (area !== 'api') return { sends: false }
  const isWhole = contract.resource !== undefined && !contract.part
  switch (method) {
    case 'get':
      return isWhole ? { header: 'If-None-Match', sends: true } : { sends: false }
    case 'put':
      return { header: 'If-Match', sends: true }
    case 'delete':
      return { header: 'If-Match', sends: !isWhole }
    default:
      return { sends: true }
  }
}

/** The resource of a path that leads to a record: `/api/listings/{id}/photos` → `listings`. */
export function resourceInPath(path: string): string {
  return path.slice('/api/'.length, path.indexOf('/{'))
}

/** Throws 412 unless the record is what the caller expects. */
export function requireMatch({ ifMatch: expected }: RecordRef, { cursor }: RecordVersion): void {
  const cursors = acceptedCursors(expected)
  if (cursors && !cursors.includes(cursor)) throw preconditionFailed()
}

/** The states that will do; undefined: any. */
export function acceptedCursors(expected: EntityTags | undefined): number[] | undefined {
  if (expected === undefined || expected === '*') return undefined
  return expected.flatMap((tag) => {
    const [, cursor] = /^(-?\d{1,15})-/.exec(tag) ?? []
    return cursor === undefined ? [] : [Number(cursor)]
  })
}

/**
 * Puts the tag of the record that was told on a successful answer, or 304 in its place for whoever has it.
 * @param fields which form was asked for
 */
export function tagReply(c: Context<App>, reply: Response, fields: unknown): Response {
  const recordVersion = c.get('stamp')
  if (!recordVersion) return reply
  const tag = tagOf(recordVersion, representationOf(c), fields === 'all')
  // Not by Hono's own way, which copies a finished answer for each header.
  reply.headers.set('ETag', `"${tag}"`)
  if (!includesTag(c.get('headers')?.['If-None-Match'], tag)) return reply
  reply.headers.delete('Content-Type')
  return new Response(null, { status: 304, headers: reply.headers })
}

/** Whether the tag, without its quotes, is one of those that a client has, weak or not. */
export function includesTag(known: EntityTags | undefined, tag: string): boolean {
  return known === '*' || known?.includes(tag) === true
}

/** What makes the form of an answer, whatever record it shows. */
export interface Representation {
  code: string
  base: string
}

export function representationOf(c: Context<App>): Representation {
  return { code: representations, base: publicBase(c) }
}

/** The tag of a record in some form, without its quotation marks. */
export function tagOf(
  { cursor, names }: RecordVersion,
  { code, base }: Representation,
  isWhole = false,
): string {
  return `${cursor}-${digestOf(JSON.stringify([code, names, base, isWhole]))}`
}

/** The digests made so far: nearly all answers have the same few forms. Clients choose the origin, so it is bounded. */
const digests = new Map<string, string>()
const MAX_DIGESTS = 100

function digestOf(parts: string): string {
  let digest = digests.get(parts)
  if (digest === undefined) {
    digest = createHash('sha256').update(parts).digest('hex').slice(0, 12)
    if (digests.size >= MAX_DIGESTS) digests.clear()
    digests.set(parts, digest)
  }
  return digest
}

/** An entity tag without its quotation marks. */
interface EntityTag {
  tag: string
  isWeak: boolean
}

/** The entity tags that a header lists, or any; null where it is no list of tags, or an empty one. */
export function parseTags(value: string): '*' | EntityTag[] | null {
  if (value.trim() === '*') return '*'
  const tags: EntityTag[] = []
  let end = 0
  ONE_TAG.lastIndex = 0
  for (let found = ONE_TAG.exec(value); found; found = ONE_TAG.exec(value)) {
    tags.push({ tag: found[2] ?? '', isWeak: found[1] !== undefined })
    end = ONE_TAG.lastIndex
  }
  return tags.length > 0 && /^[\t ,]*$/.test(value.slice(end)) ? tags : null
}

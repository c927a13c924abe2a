/**
 * The envelopes of successful replies: a record, a page of records, a lookup. The Router puts what a handler returns into the
 * envelope of its contract.
 *
 *     reply: recordBody(listing)     …  return presentListing(row)
 *     reply: updatedBody             …  return record.id
 *     reply: pageBody(listing)       …  return { page, per_page, total, rows: rows.map(presentListing) }
 */
import type { Context } from 'hono'
import { z } from 'zod'
import { named } from '../../fields/values.ts'
import type { App } from '../context.ts'
import { MAX_PAGE_SIZE, PAGE_SIZE } from '../request/page-size.ts'
import { pageLinks } from './links.ts'

/** The kind of an envelope, and the record schema that gives it its name in the documentation. */
interface Envelope {
  kind: 'Response' | 'List' | 'Page'
  record: z.ZodType
}

/** The envelopes by the schemas that `recordBody`, `lookupBody` and `pageBody` have made. */
const envelopes = new WeakMap<z.ZodType, Envelope>()

/** The envelope of the schema `reply`; undefined if it was made elsewhere. */
export function envelopeOf(reply: z.ZodType): Envelope | undefined {
  return envelopes.get(reply)
}

function envelope<T extends z.ZodType>(kind: Envelope['kind'], record: z.ZodType, body: T): T {
  envelopes.set(body, { kind, record })
  return body
}

/** The key of every successful reply. */
export const status = z.literal(200).describe('Repeats the HTTP status code')

export const recordBody = <T extends z.ZodType>(record: T) =>
  envelope('Response', record, z.object({ status, data: record }).describe('One record'))

export const lookupBody = <T extends z.ZodType>(record: T) =>
  envelope(
    'List',
    record,
    z.object({ status, data: z.array(record).describe('Every entry') }).describe('A list without pages'),
  )

/** @param whole the schema of a single read, if lists present fewer fields */
export const pageBody = <T extends z.ZodType>(record: T, whole: z.ZodType = record) =>
  envelope(
    'Page',
    whole,
    z
      .object({
        status,
        page: z.int().describe('This page, from 1'),
        total_pages: z.int().describe('Number of pages; 0 when nothing matches'),
        results_per_page: z.int().describe(`Page size: \`per_page\`, ${PAGE_SIZE} by default`),
        total_results: z.int().describe('Number of matching records on all pages'),
        data: z
          .array(record)
          .max(MAX_PAGE_SIZE)
          .describe('The records of this page; empty past the last one'),
      })
      .describe('A page of records'),
  )

/** What is known of all matching records together, and how many they are. */
export interface Counted {
  total: number
  data: object
}

export const countedBody = <T extends z.ZodType>(data: T) =>
  z.object({ status, total_results: z.int().describe('Number of matching records'), data })

export const createdBody = named('CreatedResponse', 'What was created', {
  status,
  created_id: z.int().describe('Id of the new record'),
})
export const updatedBody = named('UpdatedResponse', 'What was changed', {
  status,
  updated_id: z.int().describe('Id of the record'),
})
export const deletedBody = named('DeletedResponse', 'What was deleted', {
  status,
  deleted_id: z.int().describe('Id of the record'),
})

/** What a handler returns: a whole reply, or what the JSON of one holds. */
export type Answer = Response | object | number | string

/**
 * Makes the function that turns answers into replies of a schema. An answer is the value of its only key beside the status; of
 * a page, its place and its rows; of any other schema with several keys, the whole body.
 */
export function replierOf(schema: z.ZodType | undefined): (c: Context<App>, answer: Answer) => Response {
  const keys =
    schema instanceof z.ZodObject ? Object.keys(schema.shape).filter((key) => key !== 'status') : []
  const [only] = keys.length === 1 ? keys : []
  const isPage = schema !== undefined && envelopeOf(schema)?.kind === 'Page'
  return (c, answer) => {
    if (answer instanceof Response) return answer
    if (isPage) {
      const { rows, ...paging } = answer as PageAnswer
      return replyWithPageJson(c, paging, JSON.stringify(rows))
    }
    return replyWithJson(c, JSON.stringify(only === undefined ? answer : { status: 200, [only]: answer }))
  }
}

/** The body of a reply to a create. */
export const createdReply = (id: number) => ({ status: 200, created_id: id })
/** The body of a reply to an update. */
export const updatedReply = (id: number) => ({ status: 200, updated_id: id })
/** The body of a reply with one record, or with a lookup. */
export const dataBody = (data: unknown) => ({ status: 200, data })
/** The body of a reply with what is known of all matching records together. */
export const countedReply = ({ total, data }: Counted) => ({ status: 200, total_results: total, data })

/** Replies with one record that is already JSON. */
export function replyWithRecordJson(c: Context<App>, json: string): Response {
  return replyWithJson(c, `{"status":200,"data":${json}}`)
}

/** The filters that say which page a list shows. */
export interface PageFilters {
  /** Counts from 1; the first page by default. */
  page?: number | null | undefined
  /** Number of records per page, `PAGE_SIZE` by default. */
  per_page?: number | null | undefined
}

interface Paging extends PageFilters {
  /** Number of matching records on all pages. */
  total: number
}

/** A page of records. */
interface PageAnswer extends Paging {
  rows: unknown[]
}

/**
 * Replies with a page whose records are already a JSON list, with `X-Total-Count` and a `Link` to the neighbouring pages.
 */
export function replyWithPageJson(c: Context<App>, paging: Paging, json: string): Response {
  const { total } = paging
  const page = paging.page ?? 1
  const size = paging.per_page ?? PAGE_SIZE
  const pages = Math.ceil(total / size)
  c.header('X-Total-Count', String(total))
  const links = pageLinks(c, {
    ...(page > 1 ? { prev: Math.min(page - 1, pages || 1) } : {}),
    ...(page < pages ? { next: page + 1 } : {}),
  })
  if (links) c.header('Link', links)
  const head = JSON.stringify({
    status: 200,
    page,
    total_pages: pages,
    results_per_page: size,
    total_results: total,
  })
  return replyWithJson(c, `${head.slice(0, -1)},"data":${json}}`)
}

function replyWithJson(c: Context<App>, json: string): Response {
  return c.body(json, 200, { 'Content-Type': 'application/json' })
}

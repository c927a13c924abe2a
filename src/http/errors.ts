/**
 * The errors of the API. Handlers throw them; only `replyWithError` turns them into replies.
 *
 *     throw notFound('Listing')                              // 404 {status, error_message: 'Listing not found'}
 *     throw invalid([{ field: 'price', message: 'Missing price' }])   // 400 {status, error_message: 'Missing price'}
 *
 * With `Accept: application/problem+json` the reply is RFC 9457 problem details, which list every problem.
 */
import type { Context } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { named } from '../fields/values.ts'
import { BOOKMARK, isRefusedBookmark } from './bookmark.ts'
import type { App } from './context.ts'
import { describeFailure, log } from './log.ts'

/** One thing wrong with a call. `field` is dotted (`details.heating_type`), `message` is a whole sentence. */
export interface Problem {
  field: string
  message: string
}

const error = {
  status: z.int().describe('Repeats the HTTP status code'),
  error_message: z.string().describe('The first problem found, in the order of the documented fields'),
}

/** The body of every error, unless the client asks for problem details. */
export const errorBody = named('ErrorResponse', 'The body of every error', error)

/** The same error for `Accept: application/problem+json`. */
export const problemBody = named('ProblemDetails', 'The same error as problem details of RFC 9457', {
  type: z.literal('about:blank').describe('Always this: the status code says enough'),
  title: z.string().describe('The status code in words'),
  detail: z.string().describe('Same as `error_message`'),
  ...error,
  errors: z
    .array(
      z.object({
        field: z.string().describe('Dotted name of the field: `details.heating_type`'),
        message: z.string().describe('The whole sentence'),
      }),
    )
    .describe('Every problem found, at most 100; empty if the error is not about fields'),
})

/** An error reply: its status, message, problems and extra headers. */
export class ApiError extends Error {
  readonly status: ContentfulStatusCode
  readonly problems: Problem[]
  readonly headers: Record<string, string>

  constructor(
    status: ContentfulStatusCode,
    message: string,
    problems: Problem[] = [],
    headers: Record<string, string> = {},
  ) {
    super(message)
    this.status = status
    this.problems = problems
    this.headers = headers
  }
}

/** 400 with the message of the first problem. `problems` should not be empty. */
export function invalid(problems: Problem[]): ApiError {
  return new ApiError(400, problems[0]?.message ?? 'Invalid request', problems)
}

/** The header of 404 with the record that the one of the call was merged into. */
export const MERGED_INTO = 'X-Merged-Into'

/** 404 `<resource> not found`. `target`: what it was merged into. */
export function notFound(resource: string, target?: number): ApiError {
  return new ApiError(404, `${resource} not found`, [], target ? { [MERGED_INTO]: String(target) } : {})
}

/** Makes errors of one kind. `wait`: seconds until the next attempt may succeed. */
const errorOf = (status: ContentfulStatusCode, message: string, wait?: number) => () =>
  new ApiError(status, message, [], wait === undefined ? {} : { 'Retry-After': String(wait) })

/** The current version of the record does not satisfy `If-Match`. */
export const preconditionFailed = errorOf(412, 'The record has changed')

/** Other calls wrote the same record during every attempt. */
export const writeConflict = errorOf(
  409,
  'The record was changed by another request at the same time; try again',
)

/** Another call with the same idempotency key is still running. */
export const requestInProgress = errorOf(409, 'A request with this Idempotency-Key is being answered', 1)

/** The idempotency key already belongs to a different call. */
export const keyReused = errorOf(422, 'Idempotency-Key was used for another request')

/** No idempotency key, or reply of this size, may be stored, for this API key or for all together. */
export const tooManyIdempotencyKeys = errorOf(429, 'Too many idempotency keys', 3600)

/** An unexpected error. Details are in the log only. */
export const internalError = errorOf(500, 'Internal server error')

/** The database could not carry out the call, which may be another matter in a second. */
export const databaseBusy = errorOf(503, 'The database is busy, try again', 1)

/** Only what a restore is made of may write until it has ended. */
export const beingRestored = errorOf(
  503,
  'The service is being restored from a backup, so nothing was done; try again later',
  60,
)

/** Visitors ask for more at once than an isolate answers at once. */
export const tooManyVisits = errorOf(503, 'Too many visitors at once, try again', 1)

/** 405. `allow` lists the methods of the path. */
export function methodNotAllowed(allow: string): ApiError {
  return new ApiError(405, 'Method not allowed', [], { Allow: allow })
}

/** How to interpret errors of the database, which `http` knows nothing about. */
export interface DatabaseErrors {
  /** The reply to an error of the database; null if the error has no reply of its own. */
  toApiError: (error: unknown) => ApiError | null
  /** Whether the database refused the bookmark of a read. */
  isRefusedBookmark: (error: unknown) => boolean
}

/** Replies to any error that a handler threw. Logs unexpected ones. */
export function replyWithError(error: unknown, c: Context<App>, database: DatabaseErrors): Response {
  // The bookmark may come from another database.
  const known = isRefusedBookmark(error, c, database)
    ? invalid([{ field: BOOKMARK, message: `Invalid ${BOOKMARK}: the database does not know it` }])
    : (database.toApiError(error) ?? toApiError(error))
  // An error that the code throws on purpose, such as 503 of `/health`, says enough itself.
  if (known.status === 500 || (known.status > 500 && known !== error))
    log('error', { request_id: c.get('requestId'), ...describeFailure(error) })
  for (const [name, value] of Object.entries(known.headers)) c.header(name, value)
  const body = { status: known.status, error_message: known.message }
  if (!c.req.header('Accept')?.includes('application/problem+json')) return c.json(body, known.status)
  return c.body(
    JSON.stringify({
      type: 'about:blank',
      title: TITLES[known.status] ?? 'Error',
      detail: known.message,
      ...body,
      errors: known.problems,
    }),
    known.status,
    { 'Content-Type': 'application/problem+json' },
  )
}

/** The reply to an error that does not come from the database. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof HTTPException) return new ApiError(error.status, TITLES[error.status] ?? 'Error')
  return internalError()
}

const TITLES: Record<number, string> = {
  400: 'Bad request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  410: 'Gone',
  412: 'Precondition failed',
  413: 'Content too large',
  422: 'Unprocessable content',
  429: 'Too many requests',
  500: 'Internal server error',
  503: 'Service unavailable',
}

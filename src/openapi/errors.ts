/** The error responses of an operation, with the exact messages that the service sends. */

import { RECORD_RESOURCES } from '../catalogue/resources.ts'
import { capitalised } from '../fields/values.ts'
import { BOOKMARK } from '../http/bookmark.ts'
import { missingScope, NO_ADMIN_TOKEN, NO_KEY, SECRET_IN_QUERY } from '../http/caller/auth.ts'
import { TOO_MANY_REQUESTS } from '../http/caller/rate-limits.ts'
import { nameScope, type Scope } from '../http/caller/scope.ts'
import { ORIGIN_NOT_ALLOWED } from '../http/caller/website-keys.ts'
import { tagPolicyOf } from '../http/concurrency/entity-tags.ts'
import { acceptsIdempotencyKey } from '../http/concurrency/idempotency.ts'
import { type Endpoint, maxBodyBytes, waitsForRestore } from '../http/endpoint/contract.ts'
import { scopesOf } from '../http/endpoint/scopes.ts'
import {
  type ApiError,
  beingRestored,
  databaseBusy,
  errorBody,
  internalError,
  keyReused,
  MERGED_INTO,
  methodNotAllowed,
  notFound,
  preconditionFailed,
  problemBody,
  requestInProgress,
  tooManyIdempotencyKeys,
  tooManyVisits,
  writeConflict,
} from '../http/errors.ts'
import { bodyTooLarge } from '../http/request/body.ts'
import { readOptions } from '../http/request/filters.ts'
import { errorExamples } from './examples.ts'
import type { Json, Schemas } from './schemas.ts'

const DESCRIPTIONS: Record<number, string> = {
  400: 'The request is not valid',
  401: 'The credentials are missing or not valid',
  403: 'The API key lacks the scope of this call, or does not allow the origin of the page',
  404: 'There is no such record or path',
  405: 'The path does not support this method; `Allow` lists those it supports',
  409:
    'Other requests changed the record during every attempt, or a call with the same `Idempotency-Key` is in ' +
    'progress; nothing was written',
  410: 'The feed no longer goes back to this cursor; read everything again',
  412: 'The record does not satisfy `If-Match`; nothing was written',
  413: 'The body is too large',
  422: 'The `Idempotency-Key` was used for another request and nothing was written, or a stored picture cannot be decoded',
  429:
    'Too many calls with this key, too many wrong credentials from this address, or too many stored idempotency keys ' +
    'of this API key',
  500: 'An unexpected error; the log has the reason under `X-Request-Id`',
  503: 'What this call depends on does not respond or is not ready; some answers say in `Retry-After` when to try again',
}

const HEADERS: Record<number, string[]> = {
  400: ['Preference-Applied', BOOKMARK],
  401: ['WWW-Authenticate', 'RateLimit-Policy'],
  404: [BOOKMARK],
  405: ['Allow'],
  409: [BOOKMARK, 'Retry-After'],
  412: [BOOKMARK],
  422: [BOOKMARK],
  429: ['Retry-After', 'RateLimit-Policy'],
  503: ['Retry-After'],
}

/** An error of an operation: its messages, and its component name if other operations share it. */
interface Failure {
  status: number
  texts: string[]
  name?: string
  /** Headers beside those of its status. */
  headers?: string[]
  /** The component name with recorded messages; absent if they differ between operations. */
  recordedName?: string
}

/** The error responses of a document; shared ones become components. */
export class ErrorResponses {
  readonly components: Record<string, Json> = {}
  private readonly content: (examples: Json) => Json

  constructor(schemas: Schemas) {
    const schema = schemas.of(errorBody, 'output')
    const problem = { schema: schemas.of(problemBody, 'output') }
    this.content = (examples) => ({
      'application/json': { schema, ...examples },
      'application/problem+json': problem,
    })
  }

  /**
   * @param recorded messages recorded from the service, by status
   * @param hasVisitors whether website keys may call it, too
   */
  of(endpoint: Endpoint, recorded: Record<string, string[]> = {}, hasVisitors = false): Json {
    const known = failuresOf(endpoint, hasVisitors).map((failure): Failure => {
      const texts = recorded[failure.status]
      return texts ? { ...failure, texts, name: failure.recordedName } : failure
    })
    return Object.fromEntries(known.map((failure) => [failure.status, this.response(failure)]))
  }

  private response({ status, texts, name, headers = [] }: Failure): Json {
    const response = {
      description: DESCRIPTIONS[status],
      headers: headerReferences(['X-Request-Id', ...(HEADERS[status] ?? []), ...headers]),
      content: this.content(errorExamples(status, texts)),
    }
    if (!name) return response
    const before = this.components[name]
    if (before && JSON.stringify(before) !== JSON.stringify(response)) {
      throw new Error(`Two responses of the documentation are called ${name}`)
    }
    this.components[name] = response
    return { $ref: `#/components/responses/${name}` }
  }
}

/** References to headers of the components. */
export function headerReferences(names: string[]): Json {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}

/** The errors of an endpoint, in the order of their status. */
function failuresOf(endpoint: Endpoint, hasVisitors: boolean): Failure[] {
  const { method, audience, contract } = endpoint
  const isKeyed = acceptsIdempotencyKey(endpoint)
  const readsJson = contract.body !== undefined || contract.filters !== undefined
  const limit = maxBodyBytes(contract)
  const busy = waitsForRestore(endpoint)
    ? named('DatabaseBusyOrBeingRestored', databaseBusy(), beingRestored())
    : hasVisitors && method === 'get'
      ? named('DatabaseOrVisitorsBusy', databaseBusy(), tooManyVisits())
      : named('DatabaseBusy', databaseBusy())
  const failures: (Failure | false)[] = [
    readsJson && {
      status: 400,
      texts: ['Invalid JSON body'],
      name: 'BadRequest',
      ...(contract.filters === readOptions ? { recordedName: 'InvalidOptions' } : {}),
    },
    audience === 'api' && { status: 401, texts: [NO_KEY, SECRET_IN_QUERY], name: 'Unauthorized' },
    audience === 'admin' && { status: 401, texts: [NO_ADMIN_TOKEN], name: 'AdminUnauthorized' },
    !contract.errors?.[403] && forbidden(scopesOf(endpoint), hasVisitors),
    Object.keys(contract.params?.shape ?? {}).length > 0 && missing(contract.resource),
    named('MethodNotAllowed', methodNotAllowed('')),
    audience === 'api' &&
      method !== 'get' &&
      (isKeyed
        ? named('ConflictOrAtWork', requestInProgress(), writeConflict())
        : named('Conflict', writeConflict())),
    isKeyed && named('IdempotencyKeyWasUsedForAnotherRequest', keyReused()),
    tagPolicyOf(endpoint).header === 'If-Match' && named('Changed', preconditionFailed()),
    limit !== undefined && named(`BodyOver${maxSize(limit)}`, bodyTooLarge(limit)),
    audience !== 'public' && {
      status: 429,
      texts: [TOO_MANY_REQUESTS, ...(isKeyed ? [tooManyIdempotencyKeys().message] : [])],
      name: isKeyed ? 'TooManyRequestsOrKeys' : 'TooManyRequests',
    },
    named('InternalServerError', internalError()),
    audience !== 'public' && !contract.errors?.[503] && busy,
    ...Object.entries(contract.errors ?? {}).map(([status, text]) => ({
      status: Number(status),
      texts: [
        ...(status === '403'
          ? scopesOf(endpoint).map((scope) => missingScope(nameScope(scope)).message)
          : []),
        text,
        ...(status === '503' && audience !== 'public' ? busy.texts : []),
      ],
    })),
  ]
  return failures.filter((entry) => entry !== false).toSorted((a, b) => a.status - b.status)
}

/** `2MB`, `64KB`. */
function maxSize(bytes: number): string {
  const megabytes = bytes / 1024 / 1024
  return megabytes < 1 ? `${bytes / 1024}KB` : `${megabytes}MB`
}

/** What keys without the scopes get. Its component has the name of a single scope. */
function forbidden(scopes: Scope[], hasVisitors: boolean): Failure | false {
  const names = scopes.map(nameScope)
  if (names.length === 0) return false
  const texts = [
    ...names.map((name) => missingScope(name).message),
    ...(hasVisitors ? [ORIGIN_NOT_ALLOWED] : []),
  ]
  if (names.length > 1) return { status: 403, texts }
  return {
    status: 403,
    texts,
    name: `Forbidden${pascalCase(names[0] ?? '')}${hasVisitors ? 'OrOrigin' : ''}`,
  }
}

function missing(resource: string | undefined): Failure {
  if (!resource) return { status: 404, texts: ['Not found'], name: 'NotFound' }
  const merges = RECORD_RESOURCES.some((one) => one.one === resource && one.merges)
  const failure = named(`${pascalCase(resource)}NotFound`, notFound(resource))
  return merges ? { ...failure, headers: [MERGED_INTO] } : failure
}

function named(name: string, ...errors: [ApiError, ...ApiError[]]): Failure {
  return { status: errors[0].status, texts: errors.map(({ message }) => message), name }
}

/** `External listing` → `ExternalListing`, `knowledge-base:read` → `KnowledgeBaseRead`. */
function pascalCase(text: string): string {
  const words = text.match(/[a-z]+/gi) ?? []
  return words.map(capitalised).join('')
}

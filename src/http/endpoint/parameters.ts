/**
 * Path parameters and request headers: a contract declares their schemas, and handlers get them parsed. Bodies and
 * filters are for `check.ts`, which alone can give the order of their errors.
 */
import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler, ValidationTargets } from 'hono'
import { z } from 'zod'
import { BOOKMARK, bookmark } from '../bookmark.ts'
import { ifMatch, ifNoneMatch, tagPolicyOf } from '../concurrency/entity-tags.ts'
import { acceptsIdempotencyKey, IDEMPOTENCY_KEY, idempotencyKey } from '../concurrency/idempotency.ts'
import type { App, CommonHeaders } from '../context.ts'
import { ApiError, invalid, type Problem } from '../errors.ts'
import { messageOf, toProblem } from '../request/explain.ts'
import type { Declared } from './contract.ts'

/** The id of a record, in a path; anything but a positive integer is no id of anything: `<resource> not found`. */
export const idParam = (resource: string) =>
  z
    .string()
    .refine(isId, `${resource} not found`)
    .transform(Number)
    .meta({ description: 'Id of the record', type: 'integer', minimum: 1, example: 1 })

/** `Prefer` (RFC 7240); of all preferences the service knows one. Gives whether `handling=strict` is among them. */
const prefer = z
  .string()
  .transform(asksForStrict)
  .describe('`handling=strict` refuses keys that the service does not know; without it they are ignored')

/** Headers that mean the same wherever they are taken, by name. */
const COMMON = {
  Prefer: prefer.optional(),
  [BOOKMARK]: bookmark.optional(),
  'If-Match': ifMatch.optional(),
  'If-None-Match': ifNoneMatch.optional(),
  [IDEMPOTENCY_KEY]: idempotencyKey.optional(),
} satisfies { [Name in keyof Required<CommonHeaders>]: z.ZodType<CommonHeaders[Name]> }

/** Every header that an endpoint takes: the common ones that mean something to it, and its own. */
export function headerSchemaOf(endpoint: Declared): z.ZodObject {
  const { headers, filters, body } = endpoint.contract
  const { Prefer, [BOOKMARK]: Bookmark } = COMMON
  const { header: condition } = tagPolicyOf(endpoint)
  return z.object({
    ...(filters || body ? { Prefer } : {}),
    ...(endpoint.area === 'api' ? { [BOOKMARK]: Bookmark } : {}),
    ...(condition ? { [condition]: COMMON[condition] } : {}),
    ...(acceptsIdempotencyKey(endpoint) ? { [IDEMPOTENCY_KEY]: COMMON[IDEMPOTENCY_KEY] } : {}),
    ...headers?.shape,
  })
}

/** The parameters of `path`: those that its contract declares, else the id of a record. Throws when one is missing. */
export function paramSchemaOf({ path, contract: { params, resource } }: Declared): z.ZodObject {
  const schema = params ?? z.object(resource ? { id: idParam(resource) } : {})
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (!Object.hasOwn(schema.shape, name)) throw new Error(`${path} does not declare its ${name}`)
  }
  return schema
}

/** A check that gives the headers of a request, and throws 400. */
export function headerValidator(schema: z.ZodObject): (c: Context<App>) => Promise<Record<string, unknown>> {
  const names = Object.keys(schema.shape)
  const none = schema.safeParse({})
  const validate = zValidator(
    'header',
    schema,
    (result) => {
      if (!result.success) throw invalid(result.error.issues.map(headerProblemOf))
    },
    { validationFunction: (headers, value) => headers.safeParseAsync(value, { error: messageOf }) },
  )
  // Most calls send none of them, and what that means is always the same.
  return async (c) =>
    none.success && !names.some((name) => c.req.raw.headers.has(name))
      ? { ...none.data }
      : validated(c, validate, 'header')
}

/**
 * A check that gives the parameters of a request's path once they are asked for, and throws 404 only then: handlers
 * know when it is time.
 */
export function paramValidator(
  schema: z.ZodObject,
): (c: Context<App>) => Promise<() => Record<string, unknown>> {
  if (Object.keys(schema.shape).length === 0) return async () => () => ({})
  const validate = zValidator('param', schema, (result) => {
    // What a parameter's schema says is the whole sentence.
    if (!result.success) throw new ApiError(404, result.error.issues[0]?.message ?? 'Not found')
  })
  return async (c) => {
    const [outcome] = await Promise.allSettled([validated(c, validate, 'param')])
    return () => {
      if (outcome.status === 'rejected') throw outcome.reason
      return outcome.value
    }
  }
}

/** What a validator of the library, made as middleware, finds in a request. */
async function validated(
  c: Context<App>,
  validate: MiddlewareHandler,
  target: keyof ValidationTargets,
): Promise<Record<string, unknown>> {
  await validate(c, async () => {})
  return (c.req.valid as (name: string) => Record<string, unknown>)(target)
}

function headerProblemOf(issue: z.core.$ZodIssue): Problem {
  const field = String(issue.path[0])
  // All that comes is text, so a wrong type is no header at all.
  if (issue.code === 'invalid_type') return { field, message: `Missing ${field}` }
  return toProblem(field, { ...issue, path: [] })
}

function isId(raw: string): boolean {
  return /^\d+$/.test(raw) && Number.isSafeInteger(Number(raw)) && Number(raw) > 0
}

/** Of a preference that is told twice, the first counts (RFC 7240, 2). */
function asksForStrict(preferences: string): boolean {
  const handling = preferences
    .split(',')
    .map((preference) => preference.split(';', 1)[0]?.trim() ?? '')
    .find((preference) => /^handling *(=|$)/i.test(preference))
  return handling !== undefined && /^handling *= *"?strict"?$/i.test(handling)
}

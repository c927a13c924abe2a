/**
 * Path parameters and request headers: contracts declare their schemas, and handlers receive parsed values. Bodies and
 * filters go through `check.ts` instead, because the order of their errors is part of the contract.
 */
import { zValidator } from '@hono/zod-validator'
import type { Context, MiddlewareHandler, ValidationTargets } from 'hono'
import { z } from 'zod'
import { BOOKMARK, bookmark } from '../bookmark.ts'
import { VISITOR_ADDRESS, visitorAddress } from '../caller/website-keys.ts'
import { ifMatch, ifNoneMatch, tagPolicyOf } from '../concurrency/entity-tags.ts'
import { acceptsIdempotencyKey, IDEMPOTENCY_KEY, idempotencyKey } from '../concurrency/idempotency.ts'
import type { App, CommonHeaders } from '../context.ts'
import { ApiError, invalid, type Problem } from '../errors.ts'
import { messageOf, toProblem } from '../request/explain.ts'
import type { Contract, EndpointDeclaration } from './contract.ts'

/** The id of a record in a path. Anything but a positive integer is reported as `<resource> not found`. */
export const idParam = (resource: string) =>
  z
    .string()
    .refine(isId, `${resource} not found`)
    .transform(Number)
    .meta({ description: 'Id of the record', type: 'integer', minimum: 1, example: 1 })

/** `Prefer` (RFC 7240), of which only `handling=strict` is supported. The parsed value says whether it was sent. */
const prefer = z
  .string()
  .transform(asksForStrict)
  .describe('`handling=strict` refuses keys that the service does not know; without it they are ignored')

const COMMON = {
  Prefer: prefer.optional(),
  [BOOKMARK]: bookmark.optional(),
  'If-Match': ifMatch.optional(),
  'If-None-Match': ifNoneMatch.optional(),
  [IDEMPOTENCY_KEY]: idempotencyKey.optional(),
} satisfies { [Name in keyof Required<CommonHeaders>]: z.ZodType<CommonHeaders[Name]> }

/** The headers of an endpoint: the common ones that apply to it, and its own. */
export function headerSchemaOf(endpoint: EndpointDeclaration): z.ZodObject {
  const { headers, filters, body } = endpoint.contract
  const { Prefer, [BOOKMARK]: Bookmark } = COMMON
  const { header: condition } = tagPolicyOf(endpoint)
  return z.object({
    ...(filters || body ? { Prefer } : {}),
    ...(endpoint.audience === 'api' ? { [BOOKMARK]: Bookmark } : {}),
    ...(condition ? { [condition]: COMMON[condition] } : {}),
    ...(acceptsIdempotencyKey(endpoint) ? { [IDEMPOTENCY_KEY]: COMMON[IDEMPOTENCY_KEY] } : {}),
    ...headers?.shape,
  })
}

/** The header of every endpoint for visitors. */
const VISITOR = { [VISITOR_ADDRESS]: visitorAddress.optional() }

/** The headers of an endpoint for visitors. They have no bookmarks, and every answer has a tag. */
export function visitorHeaders({ filters }: Pick<Contract, 'filters'>): z.ZodObject {
  const { Prefer, 'If-None-Match': condition } = COMMON
  return z.object({ ...(filters ? { Prefer } : {}), 'If-None-Match': condition, ...VISITOR })
}

/** The headers of an endpoint by which visitors write. */
export function visitorWriteHeaders(): z.ZodObject {
  const { Prefer, [IDEMPOTENCY_KEY]: key } = COMMON
  return z.object({ Prefer, [IDEMPOTENCY_KEY]: key, ...VISITOR })
}

/**
 * The schema of the path parameters, by default the id of a record. Throws if a parameter of `path` is not declared.
 */
export function paramSchemaOf({ path, contract: { params, resource } }: EndpointDeclaration): z.ZodObject {
  const schema = params ?? z.object(resource ? { id: idParam(resource) } : {})
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    if (!Object.hasOwn(schema.shape, name)) throw new Error(`${path} does not declare its ${name}`)
  }
  return schema
}

/** Makes a validator that returns the parsed headers of a request, and throws 400. */
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
  // Most calls send none of these headers, so the result for them is computed once.
  return async (c) =>
    none.success && !names.some((name) => c.req.raw.headers.has(name))
      ? { ...none.data }
      : validated(c, validate, 'header')
}

/**
 * Makes a validator of path parameters. It returns a function, and only that function throws 404: handlers decide when
 * to report it.
 */
export function paramValidator(
  schema: z.ZodObject,
): (c: Context<App>) => Promise<() => Record<string, unknown>> {
  if (Object.keys(schema.shape).length === 0) return async () => () => ({})
  const validate = zValidator('param', schema, (result) => {
    // The message of a parameter's schema is the whole sentence.
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

/** Runs a validator of Hono, which is middleware, and returns its result. */
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
  // Every header is text, so a wrong type means that the header is missing.
  if (issue.code === 'invalid_type') return { field, message: `Missing ${field}` }
  return toProblem(field, { ...issue, path: [] })
}

function isId(raw: string): boolean {
  return /^\d+$/.test(raw) && Number.isSafeInteger(Number(raw)) && Number(raw) > 0
}

/** If a preference is repeated, the first one counts (RFC 7240, section 2). */
function asksForStrict(preferences: string): boolean {
  const handling = preferences
    .split(',')
    .map((preference) => preference.split(';', 1)[0]?.trim() ?? '')
    .find((preference) => /^handling *(=|$)/i.test(preference))
  return handling !== undefined && /^handling *= *"?strict"?$/i.test(handling)
}

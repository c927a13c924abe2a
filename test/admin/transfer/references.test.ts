/** Every id in a line of an import, and in a body that creates a record, has to be of a record. Each alone is set to an unknown one. */
import { beforeAll, expect, it } from 'vitest'
import { z } from 'zod'
import { ENTITIES } from '../../../src/admin/transfer/entities.ts'
import { MAX_ID } from '../../../src/fields/values.ts'
import { endpoints } from '../../http/send.ts'
import { commission } from '../../resources/incomes/seed.ts'
import { call, type Data } from '../../support/api.ts'
import { seedLines } from '../../support/factories/lines.ts'
import { SMALLEST } from '../../support/factories/samples.ts'
import { importReply } from '../../support/transfer.ts'

const UNKNOWN = 987_654

beforeAll(seedLines)

/** Whether a value that is an id, by its schema, is one of another record. */
function isReference(schema: z.ZodType, path: string[]): boolean {
  if (/^(id|expense_id|ordernum)$/.test(path.at(-1) ?? '')) return false
  return JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })).includes(
    `"maximum":${MAX_ID}`,
  )
}

/** What a schema is without null and transformations. */
function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrapped(schema.unwrap() as z.ZodType)
  if (!(schema instanceof z.ZodPipe)) return schema
  return unwrapped((schema.in instanceof z.ZodTransform ? schema.out : schema.in) as z.ZodType)
}

/** The references that a schema has, dotted. */
function referencesIn(schema: z.ZodType, path: string[] = []): string[] {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray) return referencesIn(inner.element as z.ZodType, path)
  if (!(inner instanceof z.ZodObject)) return isReference(schema, path) ? [path.join('.')] : []
  return Object.entries(inner.shape as Record<string, z.ZodType>).flatMap(([key, field]) =>
    referencesIn(field, [...path, key]),
  )
}

/** A line whose one reference at `path` is to nothing; arrays have one entry. */
function damaged(schema: z.ZodType, data: unknown, [key, ...rest]: string[]): unknown {
  const inner = unwrapped(schema)
  if (inner instanceof z.ZodArray) {
    const [first] = Array.isArray(data) ? data : []
    return [damaged(inner.element as z.ZodType, first, key === undefined ? [] : [key, ...rest])]
  }
  if (key === undefined || !(inner instanceof z.ZodObject)) return UNKNOWN
  const fields = (typeof data === 'object' ? data : {}) as Data
  return { ...fields, [key]: damaged(inner.shape[key] as z.ZodType, fields[key], rest) }
}

const PICTURE = {
  original_image: 'https://a.example/1.jpg',
  image: 'https://a.example/1.jpg',
  captions: [{ caption: 'T' }],
}

/** What lines have that refer to something deep within them. */
const MORE: Record<string, Data> = {
  appointments: { confirmations: [{ party: 'agent', via: 'phone', date: '2024-01-01 09:00:00' }] },
  listings: { title: 'T', photos: [PICTURE], panorama_photos: [PICTURE] },
  listing_subtypes: { translations: [{ name: 'N' }] },
  offers: { rounds: [{ id: 900, type: 'note' }] },
  incomes: { commissions: [commission(900)] },
}

const CASES = ENTITIES.flatMap(({ name, schema }) => {
  const fields = referencesIn(schema)
  return fields.length > 0 ? [[name, schema, fields] as const] : []
})

/** The smallest record of an entity with an unknown id in each of `fields`, a record each. */
function damagedOnes(entity: string, schema: z.ZodType, fields: string[]): Data[] {
  const smallest = { id: 700, ...SMALLEST[entity as keyof typeof SMALLEST], ...MORE[entity] }
  return fields.map((field) => damaged(schema, smallest, field.split('.')) as Data)
}

/** Whether a message is that of an unknown id in `field`. */
const isUnknown = (field: string, { message }: { message: string }) =>
  message.replace(/\.\d+(?=\.)/g, '') === `Unknown ${field} ${UNKNOWN}`

it.each(CASES)('of a line of %s are looked up', async (entity, schema, fields) => {
  const lines = damagedOnes(entity, schema, fields)
  const { errors } = await importReply(entity, lines)
  const found = fields.filter((field, index) =>
    errors.some(({ line, problems }) => line === index + 1 && problems.some((one) => isUnknown(field, one))),
  )
  expect(found).toEqual(fields)
})

const CREATING = endpoints.flatMap(({ method, path, contract }) => {
  const entity = path.replace('/api/', '').replaceAll('-', '_')
  const fields = contract.body ? referencesIn(contract.body) : []
  return method === 'post' && entity in SMALLEST && fields.length > 0
    ? [[path, entity, contract.body as z.ZodType, fields] as const]
    : []
})

it.each(CREATING)('of a body for POST %s are looked up', async (path, entity, schema, fields) => {
  const found: string[] = []
  for (const [index, body] of damagedOnes(entity, schema, fields).entries()) {
    const reply = await call('POST', path, { body, headers: { Accept: 'application/problem+json' } })
    const field = fields[index] ?? ''
    const problems: { message: string }[] = reply.body.errors ?? []
    if (problems.some((one) => isUnknown(field, one))) found.push(field)
  }
  expect(found).toEqual(fields)
})

import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { jsonBytes } from '../../../src/fields/values.ts'
import { ApiError } from '../../../src/http/errors.ts'
import { checkObject } from '../../../src/http/request/check.ts'
import { minimalRequest } from '../../resources/requests/seed.ts'
import { call, expectInvalid, get, importRecords, post, put, query } from '../../support/api.ts'
import { seedAgency } from '../../support/factories/agency.ts'
import { createListing, minimalListing } from '../../support/factories/listing.ts'
import { INPUTS } from '../send.ts'

/** Every schema within `schema` and what it is called; fails for kinds that it does not know. */
function within(schema: unknown, name: string): [string, z.ZodType][] {
  if (!(schema instanceof z.ZodType)) throw new Error(`${name} is no schema`)
  const inner = (...children: [unknown, string][]): [string, z.ZodType][] => [
    [name, schema],
    ...children.flatMap(([child, own]) => within(child, own)),
  ]
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return inner([schema.unwrap(), name])
  if (schema instanceof z.ZodPipe) return inner([schema.in, name], [schema.out, name])
  if (schema instanceof z.ZodArray) return inner([schema.element, `${name}[]`])
  if (schema instanceof z.ZodRecord) return inner([schema.valueType, `${name}{}`])
  if (schema instanceof z.ZodUnion)
    return inner(...schema.options.map((option): [unknown, string] => [option, name]))
  if (schema instanceof z.ZodObject) {
    return inner(
      ...Object.entries(schema.shape).map(([key, field]): [unknown, string] => [field, `${name}.${key}`]),
    )
  }
  const leaves = [
    z.ZodString,
    z.ZodNumber,
    z.ZodBoolean,
    z.ZodEnum,
    z.ZodLiteral,
    z.ZodUnknown,
    z.ZodTransform,
    z.ZodCustom,
  ]
  if (!leaves.some((leaf) => schema instanceof leaf)) throw new Error(`${name} is a ${schema.type}`)
  return [[name, schema]]
}

/** The checks of `schema` that compare a length, in their order. */
function lengthChecks(schema: z.ZodType) {
  return (schema.def.checks ?? [])
    .map((check) => check._zod.def as z.core.$ZodCheckMaxLengthDef)
    .filter(({ check }) => /^(min|max)_length$|^length_equals$/.test(check))
}

const everything = INPUTS.flatMap(([name, schema]) => within(schema, name))
const lists = everything.filter(([, schema]) => schema instanceof z.ZodArray)

beforeAll(async () => {
  await seedAgency()
  await importRecords(
    Array.from({ length: 20 }, (_, index) => [
      'custom_fields',
      { id: index + 1, resource: index < 10 ? 'contacts' : 'requests', name: 'Text', type: 'wysiwyg' },
    ]),
  )
})

describe('every list that comes in', () => {
  it('is found', () => {
    expect(lists.length).toBeGreaterThan(40)
    expect(lists.map(([name]) => name)).toEqual(
      expect.arrayContaining(['POST /api/contacts.phones', 'filters of /api/listings.status']),
    )
  })

  it.each(lists)('%s has a most', (_, schema) => {
    expect(lengthChecks(schema).map(({ check }) => check)).toContain('max_length')
  })

  it.each(lists)('%s is measured before its entries', (_, schema) => {
    let reads = 0
    const long = new Proxy(
      Array.from({ length: 100_000 }, () => 0),
      {
        get: (target, key, receiver) => {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads++
          return Reflect.get(target, key, receiver)
        },
      },
    )
    const { error } = schema.safeParse(long)
    expect(error?.issues.map(({ code }) => code)).toEqual(['too_big'])
    expect(reads).toBe(0)
  })

  it.each(everything.filter(([, schema]) => lengthChecks(schema).length > 0))(
    '%s compares the length of nothing but lists and texts',
    (_, schema) => {
      expect(schema.safeParse({ length: { toString: 1 } }).success).toBe(false)
    },
  )
})

describe('too many entries', () => {
  const zeros = (length: number) => Array.from({ length }, () => 0)

  it.each<[string, Record<string, unknown>, string]>([
    [
      '/api/contacts',
      { first_name: 'x', custom_fields: Object.fromEntries(zeros(1001).map((_, index) => [index + 1, 1])) },
      'Invalid custom_fields: must have at most 1000 entries',
    ],
    [
      '/api/contacts',
      { first_name: 'x', phones: zeros(100).map(() => ({ number: '\u0001'.repeat(255) })) },
      'Invalid phones: must be at most 100000 bytes in all',
    ],
  ])('POST %s: %#', async (path, body, message) => {
    await expectInvalid(post(path, body), message)
  })

  it('a list that is too long is the only problem, as its entries are not looked at', async () => {
    const fieldsOf = async (count: number) => {
      const phones = zeros(count).map(() => ({}))
      const headers = { Accept: 'application/problem+json' }
      const { body } = await post('/api/contacts', { first_name: 'x', phones }, { headers })
      return body.errors.map(({ field }: { field: string }) => field)
    }
    expect(await fieldsOf(101)).toEqual(['phones'])
    expect(await fieldsOf(2)).toEqual(['phones.0.number', 'phones.1.number'])
  })
})

describe('unknown keys', () => {
  it('are counted rather than collected', () => {
    const raw = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, 1]))
    const draft = checkObject(z.object({ group: z.object({}).nullish() }), { ...raw, group: raw })
    expect(draft.unknownCount).toBe(100_000)
    expect(draft.unknownFields).toEqual(Array.from({ length: 20 }, (_, index) => `k${index}`))
  })

  it('are refused 20 at a time', async () => {
    const filters = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}`, 1]))
    const headers = { Prefer: 'handling=strict', Accept: 'application/problem+json' }
    const { status, body } = await query('/api/listings', filters, { headers })
    expect([status, body.errors.length]).toEqual([400, 20])
  })
})

describe('problems', () => {
  it('are 100 at most, and the first one is the first of the schema', () => {
    const schema = z.object({ first: z.string(), list: z.array(z.object({ a: z.int(), b: z.int() })) })
    const draft = checkObject(schema, { list: Array.from({ length: 1000 }, () => ({ a: 'x' })) })
    for (let count = 0; count < 1000; count++) draft.refuse('list', 'late')
    try {
      draft.complete()
      expect.unreachable()
    } catch (error) {
      const { problems, message } = error as ApiError
      expect(error).toBeInstanceOf(ApiError)
      expect(problems).toHaveLength(100)
      expect(message).toBe('Missing first')
    }
  })
})

describe('a body of many values', () => {
  it('is 413 before it is parsed', async () => {
    const id = await createListing()
    const message = 'Body too large: at most 200000 values are accepted'
    for (const value of ['[]', '{}', '0', '""', '{"url":[]}']) {
      const body = `{"photos":[${`${value},`.repeat(200_001)}${value}]}`
      const { status, body: answer } = await call('POST', `/api/listings/${id}/photos`, { body })
      expect([status, answer.error_message]).toEqual([413, message])
    }
  })

  it('counts none inside of texts', async () => {
    const notes = '[{,"\\'.repeat(10_000)
    const { status, body } = await post('/api/contacts', { first_name: 'x', notes })
    expect(status).toBe(200)
    expect((await get(`/api/contacts/${body.created_id}`)).body.data.notes).toBe(notes)
  })
})

describe('the values of custom fields', () => {
  const long = (character: string) => character.repeat(65_000)

  it('of a contact are bounded in all, also when they come one by one', async () => {
    const created = await post('/api/contacts', { first_name: 'Full' })
    const path = `/api/contacts/${created.body.created_id}`
    // 65,000 characters of two bytes each: four fit into half a megabyte, and no more.
    const answers = []
    for (const id of [1, 2, 3, 4, 5])
      answers.push((await put(path, { custom_fields: { [id]: long('ω') } })).status)
    expect(answers).toEqual([200, 200, 200, 400, 400])
    await expectInvalid(
      put(path, { custom_fields: { 4: long('ω') } }),
      'Invalid custom_fields: must be at most 500000 bytes in all',
    )
    const { custom_fields } = (await get(path)).body.data
    expect(Object.keys(custom_fields)).toEqual(['1', '2', '3'])
    expect(jsonBytes(custom_fields)).toBeLessThan(500_000)
    // Clearing one value makes room.
    expect((await put(path, { custom_fields: { 3: null, 4: long('ω') } })).status).toBe(200)
  })

  it('of a body are bounded, of contacts and of requests', async () => {
    await importRecords([['request_statuses', { id: 1, name: 'Open' }]])
    const values = (from: number) =>
      Object.fromEntries(Array.from({ length: 10 }, (_, index) => [from + index, long('x')]))
    const message = (field: string) => `Invalid ${field}: must be at most 500000 bytes in all`
    await expectInvalid(
      post('/api/contacts', { first_name: 'x', custom_fields: values(1) }),
      message('custom_fields'),
    )
    await expectInvalid(
      post('/api/requests', { ...minimalRequest, locations: [1], extra_fields: values(11) }),
      message('extra_fields'),
    )
  })
})

describe('a floor configuration', () => {
  const importOne = async (floor_configuration: unknown) => {
    const line = { entity: 'listings', data: { ...minimalListing, id: 500, floor_configuration } }
    return (await call('POST', '/admin/import', { body: JSON.stringify(line) })).body.data
  }
  const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) })

  it.each<[string, unknown, string]>([
    ['many floors', Array.from({ length: 50_000 }, () => ({})), ': must have at most 1000 entries'],
    ['wide floors', [Array.from({ length: 100_000 }, () => 1)], '.0: must be an object'],
    ['deep floors', [nested(30)], ': must not be nested deeper than 20 levels'],
    ['long floors', [{ plan: 'x'.repeat(500_000) }], ': must be at most 500000 bytes in all'],
    [
      'floors of many things',
      [{ rooms: Array.from({ length: 130_000 }, () => 123) }],
      ': must be at most 500000 bytes in all',
    ],
  ])('of %s is refused', async (_, floors, message) => {
    const { rejected, errors } = await importOne(floors)
    expect([rejected, errors[0].message]).toEqual([1, `Invalid floor_configuration${message}`])
  })
})

describe('what was sent', () => {
  const long = `${'a'.repeat(1995)}${'😀'.repeat(400_000)}`

  it.each<[string, string, Record<string, unknown>, string]>([
    ['/admin/keys', 'scopes', { name: 'x', scopes: [`${'a'.repeat(1_900_000)}:read`] }, 'Invalid scopes: '],
    ['/api/listings', 'features', { ...minimalListing, features: [long] }, 'Invalid features: '],
    ['/api/listings', 'an unknown key', { ...minimalListing, [long]: 1 }, 'Invalid a'],
  ])('is quoted in part only: POST %s with %s', async (path, _, body, start) => {
    const reply = await post(path, body, { headers: { Prefer: 'handling=strict' } })
    expect(reply.status).toBe(400)
    expect(reply.body.error_message).toMatch(new RegExp(`^${start}.*…$`, 'u'))
    expect(reply.body.error_message.length).toBe(2000)
    expect(reply.body.error_message.isWellFormed()).toBe(true)
  })
})

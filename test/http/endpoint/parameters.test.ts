import { createExecutionContext } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { routers, services } from '../../../src/app.ts'
import { idParam } from '../../../src/http/endpoint/parameters.ts'
import { createApp, Router, registerRoutes } from '../../../src/http/endpoint/router.ts'
import { describeApi } from '../../../src/openapi/document.ts'
import { EXAMPLES } from '../../../src/openapi/examples.ts'

/** A resource whose call declares every kind of parameter. */
const visits = new Router('Visits', 'What the parameters of this file belong to.')
visits.post(
  '/visits/{id}/guests/{number}',
  {
    summary: 'Add a guest to a visit',
    operationId: 'addGuest',
    resource: 'Visit',
    params: z.object({ id: idParam('Visit'), number: idParam('Guest') }),
    headers: z.object({
      'X-Seats': z.string().regex(/^\d+$/, 'must be a number of seats').transform(Number),
      'X-Wish': z.string().max(5).optional(),
    }),
    body: z.object({ name: z.string() }),
  },
  async (c, input) => {
    const seats: number = input.headers['X-Seats']
    const draft = await input.body()
    const { id, number }: { id: number; number: number } = input.params()
    const { name } = draft.complete()
    return c.json({ id: [id, input.id()], number, seats, wish: input.headers['X-Wish'] ?? null, name })
  },
)
const app = createApp()
registerRoutes(app, [visits], services)

async function add(path: string, headers: Record<string, string>, body = '{"name": "Άννα"}') {
  const request = new Request(`http://estia.test${path}`, { method: 'POST', headers, body })
  const answer = await app.fetch(request, env, createExecutionContext())
  return { status: answer.status, body: await answer.json() }
}

describe('path parameters and headers', () => {
  it('reach the handler parsed, whatever the case of a header’s name', async () => {
    expect(await add('/visits/07/guests/2', { 'x-SEATS': '3', 'X-Wish': 'sea' })).toEqual({
      status: 200,
      body: { id: [7, 7], number: 2, seats: 3, wish: 'sea', name: 'Άννα' },
    })
  })

  const SEATS = { 'X-Seats': '1' }

  it.each<[string, ids: [string, string], Record<string, string>, body: string, number, string]>([
    ['a header', ['x', 'x'], { 'X-Seats': 'x' }, '{', 400, 'Invalid X-Seats: must be a number of seats'],
    ['a missing header', ['1', '1'], {}, '{}', 400, 'Missing X-Seats'],
    [
      'a header that is too long',
      ['1', '1'],
      { ...SEATS, 'X-Wish': 'garden' },
      '{}',
      400,
      'Invalid X-Wish: must be at most 5 characters',
    ],
    ['a body that is no JSON', ['x', 'x'], SEATS, '{', 400, 'Invalid JSON body'],
    ['the first parameter', ['x', 'x'], SEATS, '{}', 404, 'Visit not found'],
    ['the second parameter', ['1', '0'], SEATS, '{}', 404, 'Guest not found'],
    ['a field', ['1', '1'], SEATS, '{}', 400, 'Missing name'],
  ])('are refused in their order: %s', async (_, [id, number], headers, body, status, error_message) => {
    const reply = await add(`/visits/${id}/guests/${number}`, headers, body)
    expect(reply).toEqual({ status, body: { status, error_message } })
  })

  it('are problems with a name where details are asked for', async () => {
    const headers = { 'X-Wish': 'garden', Accept: 'application/problem+json' }
    expect(await add('/visits/1/guests/1', headers)).toMatchObject({
      status: 400,
      body: {
        detail: 'Missing X-Seats',
        errors: [
          { field: 'X-Seats', message: 'Missing X-Seats' },
          { field: 'X-Wish', message: 'Invalid X-Wish: must be at most 5 characters' },
        ],
      },
    })
  })

  it('must be declared where the path has them', () => {
    const add = () =>
      visits.get('/visits/{id}/{day}', { summary: 'A day', resource: 'Visit' }, (c) => c.json({}))
    expect(add).toThrow('/visits/{id}/{day} does not declare its day')
  })
})

describe('the document', () => {
  const parameter = (name: string, place: string, schema: object, more: object = {}) => ({
    name,
    in: place,
    schema,
    ...more,
  })

  it('lists them as they are declared', () => {
    const id = { type: 'integer', minimum: 1 }
    const described = { required: true, description: 'Id of the record', example: 1 }
    const { paths } = describeApi([visits], EXAMPLES) as {
      paths: { '/visits/{id}/guests/{number}': { post: unknown } }
    }
    expect(paths['/visits/{id}/guests/{number}'].post).toMatchObject({
      parameters: [
        { $ref: '#/components/parameters/Id' },
        parameter('number', 'path', id, described),
        { $ref: '#/components/parameters/Prefer' },
        parameter('X-Seats', 'header', { type: 'string', pattern: String.raw`^\d+$` }, { required: true }),
        parameter('X-Wish', 'header', { type: 'string', maxLength: 5 }),
      ],
    })
  })

  it('names every parameter of every path, and Prefer wherever there may be unknown keys', () => {
    for (const { path, contract } of routers.flatMap((router) => router.endpoints)) {
      const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      expect(Object.keys(contract.params?.shape ?? {}), path).toEqual(names)
      const takesKeys = Boolean(contract.body ?? contract.filters)
      expect(Object.hasOwn(contract.headers?.shape ?? {}, 'Prefer'), path).toBe(takesKeys)
    }
  })
})

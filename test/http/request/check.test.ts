// @module-tag slow

import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { int } from '../../../src/fields/values.ts'
import { ApiError } from '../../../src/http/errors.ts'
import { checkObject } from '../../../src/http/request/check.ts'

const body = z.object({
  name: z.string().max(5),
  count: int().min(0).nullish(),
  tags: z.array(int()).nullish(),
  users: z.array(int()).refine((list) => list.length > 0),
  group: z.object({ a: int().nullish(), b: z.enum(['x', 'y']).nullish() }).nullish(),
  people: z.array(z.object({ age: int() })).nullish(),
})
const good = { name: 'n', users: [1] }

/** What `complete()` throws, as lines of `field: message`. */
function problems(raw: Record<string, unknown>): string[] {
  try {
    checkObject(body, raw).complete()
    return []
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    expect(error.status).toBe(400)
    expect(error.message).toBe(error.problems[0]?.message)
    return error.problems.map(({ field, message }) => `${field}: ${message}`)
  }
}

describe('checkObject', () => {
  it.each<[string, Record<string, unknown>, string[]]>([
    ['absent', { users: [1] }, ['name: Missing name']],
    ['null', { ...good, name: null }, ['name: Missing name']],
    ['blank', { ...good, name: ' \n\t' }, ['name: Missing name']],
    ['an empty list', { ...good, users: [] }, ['users: Missing users']],
    ['of a wrong type', { ...good, name: 5 }, ['name: Invalid name: must be text']],
    ['false, which is not blank', { ...good, name: false }, ['name: Invalid name: must be text']],
    ['too long', { ...good, name: 'abcdef' }, ['name: Invalid name: must be at most 5 characters']],
    ['a list of wrong values', { ...good, users: ['1'] }, ['users.0: Invalid users.0: must be an integer']],
    ['no list', { ...good, users: 1 }, ['users: Invalid users: must be an array']],
  ])('a required field: %s', (_, raw, expected) => {
    expect(problems(raw)).toEqual(expected)
  })

  it('reports problems in the order of the schema, including late ones', () => {
    const draft = checkObject(body, { group: { b: 'z', a: 'x' }, tags: 'x', count: -1 })
    draft.refuse('group.a', 'late a')
    draft.refuse('unknown', 'late unknown')
    draft.refuse('name', 'late name')
    expect(draft.isRefused('tags')).toBe(true)
    expect(draft.isRefused('people')).toBe(false)
    expect(() => draft.complete()).toThrow('Missing name')
    try {
      draft.complete()
    } catch (error) {
      const fields = error instanceof ApiError && error.problems.map(({ field }) => field)
      const order = ['name', 'name', 'count', 'tags', 'users', 'group.a', 'group.a', 'group.b', 'unknown']
      expect(fields).toEqual(order)
    }
  })
})

describe('a wrong entry of a list', () => {
  it('is reported at the position of its list, once, and as a problem of it', () => {
    const wrong = { ...good, group: { a: 'x' }, tags: [1, 'x', 2, null], people: [5, {}] }
    const draft = checkObject(body, { ...wrong, count: -1 })
    for (const name of ['tags', 'tags.1', 'people', 'group'])
      expect([name, draft.isRefused(name)]).toEqual([name, name !== 'group'])
    expect(() => draft.complete()).toThrow('Invalid count: must be at least 0')
    expect(problems(wrong)).toEqual([
      'tags.1: Invalid tags.1: must be an integer',
      'tags.3: Invalid tags.3: must be an integer',
      'group.a: Invalid group.a: must be an integer',
      'people.0: Invalid people.0: must be an object',
      'people.1.age: Missing people.1.age',
    ])
    draft.drop('tags')
    expect(draft.isRefused('tags')).toBe(false)
  })
})

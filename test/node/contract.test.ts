import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { http, startService } from './service.ts'

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  security: Record<string, string[]>[]
  parameters: { name: string; in: string; required?: boolean; schema: unknown }[]
  requestBody?: { content: Record<string, { schema: unknown }> }
  responses: Record<string, { $ref?: string; description?: string; content?: Record<string, unknown> }>
}

interface Document {
  openapi: string
  tags: { name: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

let service: Awaited<ReturnType<typeof startService>>
let document: Document
let operations: [string, Operation][]

beforeAll(async () => {
  service = await startService()
  document = JSON.parse((await http(new URL('/openapi.json', service.url), 'GET')).text)
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  )
})

afterAll(() => service.close())

/** Every value under `key`, however deep. */
function valuesOf(node: unknown, key: string): unknown[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([name, value]) => [
    ...(name === key ? [value] : []),
    ...valuesOf(value, key),
  ])
}

function resolve(reference: string): unknown {
  const path = reference.replace(/^#\//, '').split('/')
  return path.reduce<unknown>((node, name) => new Map(Object.entries(node ?? {})).get(name), document)
}

describe('the contract', () => {
  it('is the reviewed one; after a wanted change run vitest with --update and read the difference', async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot('../openapi.json')
  })

  it('is OpenAPI 3.1', () => {
    expect(document.openapi).toBe('3.1.0')
  })

  it('has nothing behind a $ref but what is there', () => {
    const references = valuesOf(document, '$ref')
    expect(references.length).toBeGreaterThan(0)
    for (const reference of references) {
      expect(reference).toMatch(/^#\/components\//)
      expect(resolve(String(reference)), String(reference)).toBeDefined()
    }
  })

  it('names every operation once', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    for (const id of ids) expect(id).toMatch(/^[a-z][A-Za-z0-9]+$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('says of every operation what it is and what it answers', () => {
    const tags = new Set(document.tags.map(({ name }) => name))
    expect(tags.size).toBe(document.tags.length)
    for (const [name, { summary, tags: own, responses }] of operations) {
      expect(summary, name).toMatch(/\S/)
      expect(own.every((tag) => tags.has(tag)) && own.length === 1, name).toBe(true)
      expect(responses['200']?.content, name).toBeDefined()
      expect(responses['500'], name).toBeDefined()
      expect(responses['405'], name).toBeDefined()
    }
  })

  it('declares the parameters of every path', () => {
    for (const [name, { parameters }] of operations) {
      const wanted = [...name.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter)
      const declared = parameters.filter((parameter) => parameter.in === 'path')
      expect(
        declared.map((parameter) => parameter.name),
        name,
      ).toEqual(wanted)
      for (const parameter of declared) expect(parameter.required, name).toBe(true)
      const names = parameters.map((parameter) => `${parameter.in} ${parameter.name}`)
      expect(new Set(names).size, name).toBe(names.length)
    }
  })

  it('says who may call', () => {
    for (const [name, { security, responses }] of operations) {
      const path = name.split(' ')[1] ?? ''
      const scheme = path.startsWith('/api/')
        ? [{ apiKey: [] }]
        : path.startsWith('/admin/')
          ? [{ admin: [] }]
          : []
      expect(security, name).toEqual(scheme)
      expect('401' in responses, name).toBe(scheme.length > 0)
      expect('403' in responses, name).toBe(path.startsWith('/api/'))
    }
  })

  it('writes the status into every body of JSON', () => {
    for (const [name, { responses }] of operations) {
      const schema = responses['200']?.content?.['application/json'] as
        | { schema?: { properties?: { status: { const?: number } }; required?: string[] } }
        | undefined
      if (!schema?.schema?.properties) continue
      expect(schema.schema.properties.status.const, name).toBe(200)
      expect(schema.schema.required, name).toContain('status')
    }
  })

  it('forbids what is not documented', () => {
    for (const [name, { responses }] of operations) {
      const schema = responses['200']?.content?.['application/json'] as { schema?: object } | undefined
      if (schema?.schema && 'properties' in schema.schema) {
        expect(schema.schema, name).toHaveProperty('additionalProperties', false)
      }
    }
  })
})

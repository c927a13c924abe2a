import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { importFieldsPage } from '../../scripts/build/import-fields.ts'
import { ENTITIES } from '../../src/admin/transfer/entities.ts'
import { routers } from '../../src/app.ts'
import { describeApi } from '../../src/openapi/document.ts'
import { EXAMPLES, type Examples } from '../../src/openapi/examples.ts'
import { REPEAT_NEEDS_IF_MATCH } from '../../src/openapi/operations.ts'
import { VISITORS, type Visit } from '../../src/openapi/visitors.ts'
import { recordExamples, startExampleAgency } from '../../tools/examples/recorder.ts'
import { reviewedContract } from '../../tools/release/contract.ts'
import { type HttpAnswer, http } from '../../tools/runtime/http.ts'

interface Operation {
  operationId: string
  description?: string
  requestBody?: { content: Record<string, object> }
  responses: Record<string, { $ref?: string; content?: Record<string, object> }>
  [VISITORS]?: Visit
}

interface Document {
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Record<string, unknown>>
}

let document: Document
let operations: [string, Operation][]

beforeAll(() => {
  document = JSON.parse(JSON.stringify(describeApi(routers, EXAMPLES)))
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]): [string, Operation] => [
      `${method} ${path}`,
      operation,
    ]),
  )
})

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

/** What a reference stands for. */
function resolved<T>(node: T | { $ref: string }): T {
  return typeof node === 'object' && node !== null && '$ref' in node ? (resolve(node.$ref) as T) : (node as T)
}

/** The schema of an operation's JSON, or undefined. */
function replyOf({ responses }: Operation) {
  const json = valuesOf(responses['200'], 'application/json')
  return (json[0] as { schema?: { $ref?: string } } | undefined)?.schema
}

describe('the contract', () => {
  it('is the reviewed one; after a wanted change run vitest with --update and read the difference', async () => {
    const released = JSON.parse(await readFile('test/released.json', 'utf8'))
    const reviewed = reviewedContract(JSON.parse(JSON.stringify(describeApi(routers, {}))), released)
    const rows = importFieldsPage(ENTITIES).match(/^(?:## .*|\| \S*`.*?\|.*?\|)/gm)
    await expect(`${JSON.stringify({ ...reviewed, imports: rows }, null, 1)}\n`).toMatchFileSnapshot(
      '../contract.json',
    )
  })

  it('tells the client which calls are to be sent twice only with `If-Match`; renewed in the same way', async () => {
    const calls = operations.filter(([, operation]) => REPEAT_NEEDS_IF_MATCH in operation)
    const names = calls.map(([name]) => name)
    const facts = await readFile('src/client/facts.ts', 'utf8')
    const lines = ['', ...names.map((name) => `  '${name}',`), ''].join('\n')
    await expect(facts.replace(/(?<== \[)[^\]]*(?=\])/, lines)).toMatchFileSnapshot(
      '../../src/client/facts.ts',
    )
  })

  it('has no component that nothing refers to', () => {
    const { securitySchemes, ...components } = document.components
    const names = Object.entries(components).flatMap(([kind, entries]) =>
      Object.keys(entries).map((name) => `#/components/${kind}/${name}`),
    )
    expect(new Set(names)).toEqual(new Set(valuesOf(document, '$ref')))
    expect(new Set(Object.keys(securitySchemes ?? {}))).toEqual(
      new Set(
        valuesOf(document, 'security')
          .flat()
          .flatMap((entry) => Object.keys(entry as object)),
      ),
    )
  })

  it('names every schema in PascalCase', () => {
    for (const name of Object.keys(document.components.schemas ?? {}))
      expect(name).toMatch(/^([A-Z][a-z]+)+$/)
  })

  it('describes every schema and every field', () => {
    const undescribed = (node: unknown, path: string): string[] => {
      if (typeof node !== 'object' || node === null) return []
      const properties = Object.entries((node as { properties?: Record<string, object> }).properties ?? {})
      return [
        ...properties
          .filter(
            ([, field]) => !('description' in field || '$ref' in field || valuesOf(field, '$ref').length > 0),
          )
          .map(([name]) => `${path}.${name}`),
        ...Object.entries(node).flatMap(([key, inner]) => undescribed(inner, `${path}.${key}`)),
      ]
    }
    for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
      expect(schema, name).toHaveProperty('description')
      expect(undescribed(schema, name)).toEqual([])
    }
  })

  it('knows every call and every error that was seen', () => {
    for (const [id, { errors = {} }] of Object.entries(EXAMPLES)) {
      const operation = operations.find(([, { operationId }]) => operationId === id)?.[1]
      expect(Object.keys(operation?.responses ?? {}), id).toEqual(
        expect.arrayContaining(['200', ...Object.keys(errors)]),
      )
    }
  })

  it('has an example of every body of JSON', () => {
    for (const [name, operation] of operations) {
      const bodies = [operation.requestBody, ...Object.values(operation.responses).map(resolved)]
      for (const body of bodies) {
        const media = Object.entries(body?.content ?? {}).find(([type]) => type === 'application/json')?.[1]
        if (!media || name === 'get /openapi.json') continue
        expect(
          Object.keys(media).some((key) => /^examples?$/.test(key)),
          `${name} needs an example: add its call to tools/examples/, then run npm run examples`,
        ).toBe(true)
      }
    }
  })

  it('describes the calls of visitors, with an example where their reply is another', () => {
    const described = operations.filter(([, operation]) => VISITORS in operation).map(([name]) => name)
    const declared = routers.flatMap(({ visitorEndpoints }) =>
      visitorEndpoints.map(({ method, path }) => `${method} ${path}`),
    )
    expect(described.toSorted()).toEqual(declared.toSorted())
    for (const [name, operation] of operations) {
      const reply = operation[VISITORS]?.responses[200].content['application/json']
      if (!reply || reply.schema.$ref === replyOf(operation)?.$ref) continue
      expect(reply, name).toHaveProperty('examples')
      expect(operation.description, name).toContain('<details><summary>Example: ')
    }
  })
})

describe('the contract of a running service', { tags: 'slow' }, () => {
  let recorded: Examples
  let served: HttpAnswer
  let again: HttpAnswer

  beforeAll(async () => {
    const since = Date.now()
    const service = await startExampleAgency()
    const address = new URL('/openapi.json', service.url)
    served = await http(address, 'GET')
    again = await http(address, 'GET', { headers: { 'If-None-Match': `W/${served.headers.etag}` } })
    recorded = await recordExamples(service, since)
    await service.stop()
  })

  it('has examples as the service answers; after a wanted change run `npm run examples`', () => {
    expect(JSON.stringify(recorded, null, 2)).toBe(JSON.stringify(EXAMPLES, null, 2))
  })

  it('is what the service serves', () => {
    expect(JSON.parse(served.text)).toEqual(JSON.parse(JSON.stringify(describeApi(routers, EXAMPLES))))
    expect(served.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(served.headers['cache-control']).toMatch(/^public, max-age=\d+$/)
  })

  it('the running service answers 304 for a matching If-None-Match', () => {
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', served.headers.etag])
  })
})

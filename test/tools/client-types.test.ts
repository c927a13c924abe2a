import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FOR_NODE, startProject } from '../node/integrator.ts'

let project: Awaited<ReturnType<typeof startProject>>

beforeAll(async () => {
  project = await startProject()
})

afterAll(() => project?.remove())

describe('types', () => {
  it.each([
    ['Node', FOR_NODE],
    ['Node with exact optional properties', [...FOR_NODE, '--exactOptionalPropertyTypes']],
    [
      'a browser',
      ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom', '--typeRoots', 'none'],
    ],
  ])('know fields, filters and bodies in %s', async (_, options) => {
    await project.write('types.ts', await readFile('test/client/types.ts', 'utf8'))
    expect(await project.compile('types.ts', ...options)).toBe('')
  })
})

describe('an editor', () => {
  const program = (line: string) => `import { createClient, createVisitorClient } from 'estia/client'
    const estia = createClient({ baseUrl: '', key: '' })
    const website = createVisitorClient({ baseUrl: '', key: '' })
    ${line}`

  it.each([
    ['paths', `estia.get('|')`, ['/api/listings', '/api/listings/{id}', '/api/contacts']],
    [
      'filters',
      `estia.get('/api/listings', { query: { | } })`,
      ['status', 'category', 'date_updated', 'page'],
    ],
    ['values of filters', `estia.get('/api/listings', { query: { status: '|' } })`, ['active', 'archived']],
    ['fields to write', `estia.post('/api/listings', { body: { | } })`, ['category', 'price', 'details']],
    [
      'fields to read',
      `for await (const listing of estia.pages('/api/listings')) listing.|`,
      ['price', 'photos', 'energy_class'],
    ],
    ['paths of visitors', `website.get('|')`, ['/api/listings', '/api/listings/{id}', '/api/stores']],
    [
      'filters of visitors',
      `website.get('/api/listings', { query: { | } })`,
      ['price', 'near', 'areas', 'sort', 'fields'],
    ],
    [
      'fields that visitors see',
      `for await (const listing of website.pages('/api/listings')) listing.|`,
      ['price', 'photos', 'date_listed'],
    ],
  ])('proposes %s', (_, line, names) => {
    expect(project.complete(program(line))).toEqual(expect.arrayContaining(names))
  })

  it('proposes nothing that visitors may not read', () => {
    expect(project.complete(program(`website.get('|')`))).not.toContain('/api/contacts')
  })
})

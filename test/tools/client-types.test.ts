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

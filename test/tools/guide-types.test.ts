/** The TypeScript of README and the guides, checked as strictly as a project may be, against the client they install. */
import { symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FOR_NODE, startProject } from '../node/integrator.ts'
import { type Block, readGuides } from './guides/blocks.ts'

const STRICTEST = [
  ...FOR_NODE,
  '--exactOptionalPropertyTypes',
  '--noUncheckedIndexedAccess',
  '--noImplicitOverride',
  '--verbatimModuleSyntax',
  '--allowImportingTsExtensions',
  '--skipLibCheck',
]

/** Packages that the guides say to install beside the client. */
const PACKAGES = ['hono', '@hono', 'standardwebhooks', '@stablelib', 'fast-sha256']

/** What the words of a guide say is there, by the name of the block; nothing else may be missing. */
const GIVEN: Record<string, string> = {
  'docs/webhooks.md, What arrives, ts 1': `
    import type { Change } from 'estia/client'
    declare const data: Change[]
    declare function readOrNull(path: string): Promise<object | null>
    declare function store(resource: string, id: number, record: object): Promise<void>
    declare function drop(resource: string, id: number): Promise<void>`,
  'docs/webhooks.md, Verifying, ts 1': `
    declare const secret: string
    declare const bodyAsText: string
    declare const headers: Record<string, string>`,
}

/** Guides whose blocks are one program. */
const PROGRAMS = ['docs/client.md']
/** Blocks that are files, by name: another block imports one. */
const FILES: Record<string, string> = {
  'docs/keeping-a-copy.md, A whole program, ts 1': 'sync-listings.ts',
}

const blocks = [...readGuides().values()].flat().filter(({ language }) => language === 'ts')
const single = blocks.filter(({ file }) => !PROGRAMS.includes(file))

let project: Awaited<ReturnType<typeof startProject>>

beforeAll(async () => {
  project = await startProject()
  for (const name of PACKAGES)
    await symlink(resolve('node_modules', name), join(project.folder, 'node_modules', name), 'junction')
})

afterAll(() => project?.remove())

const fileOf = ({ name }: Block) => FILES[name] ?? `${name.replace(/\W+/g, '-')}.ts`

it.each(single.map((block) => [block.name, block] as const))('%s', async (name, block) => {
  await project.write(fileOf(block), `${GIVEN[name] ?? ''}\n${block.text}\nexport {}\n`)
  expect(await project.compile(fileOf(block), ...STRICTEST)).toBe('')
})

it.each(PROGRAMS)('%s, from top to bottom', async (file) => {
  const text = blocks.filter((block) => block.file === file).map((block) => block.text)
  expect(text.length).toBeGreaterThan(1)
  await project.write('program.ts', text.join('\n'))
  expect(await project.compile('program.ts', ...STRICTEST)).toBe('')
})

it('nothing is given to a block that is not there', () => {
  const names = new Set(blocks.map(({ name }) => name))
  expect([...Object.keys(GIVEN), ...Object.keys(FILES)].filter((name) => !names.has(name))).toEqual([])
})

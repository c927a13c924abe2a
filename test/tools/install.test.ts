/** What `npm ci` brings, and what is made of a checkout in which nothing has been made. */
import { execFile } from 'node:child_process'
import { cp, readFile, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from './temporary.ts'

const folder = temporaryFolder()

interface Package {
  dependencies: Record<string, string>
  overrides: Record<string, Record<string, string>>
}

const EMPTY = 'file:../../../packages/nothing'

async function readJson<Content>(path: string): Promise<Content> {
  return JSON.parse(await readFile(path, 'utf8')) as Content
}

describe('npm ci', () => {
  it('brings nothing along with Scalar, whose browser build holds all it needs', async () => {
    const { overrides } = await readJson<Package>('package.json')
    const { dependencies } = await readJson<Package>('node_modules/@scalar/api-reference/package.json')
    const empty = Object.keys(dependencies).map((name) => [name, EMPTY])
    expect(overrides['@scalar/api-reference']).toEqual(Object.fromEntries(empty))
  })

  it.each(['esbuild', 'sharp', 'miniflare', 'workerd'])('brings %s once', async (name) => {
    const { packages } = await readJson<{ packages: object }>('package-lock.json')
    const places = Object.keys(packages).filter((path) => path.endsWith(`node_modules/${name}`))
    expect(places).toEqual([`node_modules/${name}`])
  })
})

describe('a checkout without build/', () => {
  it('has an OpenAPI document', async () => {
    // The Worker names the newest migration.
    for (const part of ['src', 'migrations']) await cp(part, join(folder, part), { recursive: true })
    await symlink(resolve('node_modules'), join(folder, 'node_modules'), 'junction')
    const script = `import { openApiDocument } from ${JSON.stringify(resolve('scripts/build/document.ts'))}
      console.log(JSON.parse(await openApiDocument()).openapi)`
    const parameters = ['--input-type=module', '--eval', script]
    const { stdout } = await promisify(execFile)(process.execPath, parameters, { cwd: folder })
    expect(stdout).toBe('3.1.0\n')
  })
})

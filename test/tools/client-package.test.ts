/**
 * The typed client as a deployment hands it out, in the hands of somebody who has nothing else.
 *
 * @module-tag slow
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packClient, versionOf } from '../../scripts/build/client-package.ts'
import { openApiDocument } from '../../scripts/build/document.ts'
import { API_VERSION } from '../../src/http/version.ts'
import { importRecords, startService } from '../node/service.ts'
import { temporaryFolder } from './temporary.ts'

const run = promisify(execFile)
const TSC = resolve('node_modules/typescript/bin/tsc')
const PROGRAM = `import { createClient, EstiaError, orThrow, verifyWebhook } from 'estia/client'
const estia = createClient({ baseUrl: process.env.ESTIA_URL ?? '', key: process.env.ESTIA_KEY ?? '' })
const { data } = await orThrow(estia.get('/api/stores'))
console.log(data.map(({ name }) => name).join(), new EstiaError(new Response(), null).name, typeof verifyWebhook)
`

let service: Awaited<ReturnType<typeof startService>>
const folder = temporaryFolder()

beforeAll(async () => {
  service = await startService()
  await importRecords(service.url, [['stores', { id: 1, name: 'Center' }]])
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'program.ts'), PROGRAM)
  await writeFile(join(folder, 'program.js'), PROGRAM)
  await npm('install', new URL('/client.tgz', service.url).href)
  await mkdir(join(folder, 'node_modules/@types'), { recursive: true })
  await symlink(resolve('node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'junction')
})

afterAll(() => service?.close())

/** npm with an empty cache and a registry that nobody answers for. */
async function npm(...parameters: string[]): Promise<void> {
  const settings = {
    registry: 'http://127.0.0.1:9/',
    cache: join(folder, '.npm'),
    fetch_retries: '0',
    audit: 'false',
    fund: 'false',
    update_notifier: 'false',
  }
  const told = Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value])
  await run('npm', parameters, { cwd: folder, env: { ...process.env, ...Object.fromEntries(told) } })
}

const environment = () => ({
  ...process.env,
  NODE_NO_WARNINGS: '1',
  ESTIA_URL: service.url.origin,
  ESTIA_KEY: service.key,
})

const readJson = async (name: string) => JSON.parse(await readFile(join(folder, name), 'utf8'))

describe('GET /client.tgz', () => {
  it('answers a package that caches ask for anew', async () => {
    const url = new URL('/client.tgz', service.url)
    const { status, headers, ...answer } = await fetch(url).then(async (response) => ({
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    }))
    expect([status, headers.get('Content-Type'), headers.get('Cache-Control')]).toEqual([
      200,
      'application/gzip',
      'no-cache',
    ])
    expect(answer.bytes.equals(await readFile('public/client.tgz'))).toBe(true)
    const known = await fetch(url, { headers: { 'If-None-Match': headers.get('ETag') ?? '' } })
    expect(known.status).toBe(304)
  })
})

describe('npm install of /client.tgz', () => {
  it('brings the client of exactly this contract, and nothing else', async () => {
    const document = await (await fetch(new URL('/openapi.json', service.url))).text()
    const hash = createHash('sha256').update(document).digest('hex')
    const { packages } = await readJson('package-lock.json')
    expect(Object.keys(packages)).toEqual(['', 'node_modules/estia'])
    expect(packages['node_modules/estia'].version).toBe(`${API_VERSION}-c${hash.slice(0, 12)}`)
    expect(versionOf(document)).toBe(packages['node_modules/estia'].version)
  })

  it('works in this Node', async () => {
    const { stdout } = await run(process.execPath, ['program.js'], { cwd: folder, env: environment() })
    expect(stdout).toBe('Center EstiaError function\n')
  })

  it.each([
    ['node16', 'node16'],
    ['esnext', 'bundler'],
  ])('has types for the module %s with the resolution %s', async (module, moduleResolution) => {
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022', '--types', 'node']
    const parameters = [TSC, ...options, '--module', module, '--moduleResolution', moduleResolution]
    const { stdout } = await run(process.execPath, [...parameters, 'program.ts'], { cwd: folder })
    expect(stdout).toBe('')
  })

  it('can be bundled for a browser', async () => {
    const entry = { contents: PROGRAM.replaceAll('process.env', 'globalThis'), resolveDir: folder }
    const made = await build({
      stdin: entry,
      bundle: true,
      write: false,
      format: 'esm',
      platform: 'browser',
      target: 'es2022',
      metafile: true,
      logLevel: 'silent',
    })
    expect(made.warnings).toEqual([])
    const imported = Object.values(made.metafile.inputs).flatMap(({ imports }) => imports)
    expect(imported.filter(({ external, path }) => external || path.startsWith('node:'))).toEqual([])
  })
})

describe('the package', () => {
  it('is the same to the byte whenever it is made', async () => {
    const document = await openApiDocument()
    const made = await packClient(join(folder, 'first'), document)
    expect(Buffer.from(made).equals(await readFile('public/client.tgz'))).toBe(true)
  })
})

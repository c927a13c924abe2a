import { existsSync, globSync, readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { hasChanged } from '@estia/photo-codec/passed'
import { wasmModules } from '@estia/photo-codec/vitest'
import { defineConfig } from 'vitest/config'
import { WITHOUT_RATE_LIMITS } from './src/catalogue/rate-limits.ts'
import { schemaOf } from './test/support/schema.ts'
import { SLOW } from './tools/check-fast/select.ts'

/** Tests that need a cache, which the others must not have: see `workerd()`. */
const CACHED = ['test/files/kept-pictures.test.ts', 'test/http/reply/visitor-cache.test.ts']

/** Tests that replace modules, or look at what an isolate remembers: each loads the service for itself. All are slow. */
const OWN_MODULES = [
  'test/admin/webhooks/{deliveries,webhooks}.test.ts',
  'test/resources/listings/catalogue-fields.test.ts',
]

/** Whether slow tests are left out, as by `npm test`. Property tests then try less: see test/support/runs.ts. */
const QUICK = process.argv.includes('!slow')

/** Files that are slow as a whole. `npm test` does not load them only to leave out all of their tests. */
const LEFT_OUT = QUICK
  ? globSync('test/**/*.test.ts').filter((file) => SLOW.test(readFileSync(file, 'utf8')))
  : []

/** The tests of the codec run where it has changed since they passed. `npm test -w @estia/photo-codec` always runs them. */
const CODEC =
  hasChanged() || process.env.npm_package_name === '@estia/photo-codec'
    ? ['packages/photo-codec/vitest.config.ts', 'packages/photo-codec/vitest.workerd.config.ts']
    : []

/** A folder in memory, where the system has one. On a disk, tests that write much take half as long again. */
const MEMORY = '/dev/shm'
const MIN_FREE_BYTES = 4e9
const { bavail = 0, bsize = 0 } = existsSync(MEMORY) ? statfsSync(MEMORY) : {}
if (bavail * bsize > MIN_FREE_BYTES) process.env.TMPDIR ??= MEMORY

/** Chooses what property tests try: always the same, so that only a change of the code turns them red. */
const SEED = Number(process.env.SEED ?? 1)

/** Libraries that Vite bundles once, rather than hand over file by file to each worker that loads the service. */
const BUNDLED = [
  '@hono/zod-validator',
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'fast-check',
  'hono',
  'hono/cors',
  'hono/html',
  'hono/http-exception',
  'hono/request-id',
  'hono/route',
  'zod',
]

/** A project whose tests call the service over HTTP in workerd, on real D1, R2 and KV. */
function workerd(
  name: string,
  test: { include: string[]; exclude?: string[] },
  { cacheAPI = false, isolate = false } = {},
) {
  return {
    plugins: [
      cloudflareTest(async () => ({
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          bindings: {
            ADMIN_TOKEN: 'test-admin-token',
            ALLOW_PRIVATE_PHOTO_URLS: 'true',
            ...WITHOUT_RATE_LIMITS,
            MIGRATIONS: await readD1Migrations('migrations'),
            SCHEMA: schemaOf(await readD1Migrations('migrations')),
          },
          // Without it, answers to visitors are not kept, so that tests see a change at once.
          cacheAPI,
          r2Buckets: { BACKUPS_OF_TESTS: 'backups' },
          ratelimits: { BUDGET_OF_THREE: { namespace_id: '3', simple: { limit: 3, period: 10 } } },
        },
      })),
    ],
    test: {
      name,
      ...test,
      // Loading the service takes seconds, emptying its storage milliseconds: see test/support/setup.ts.
      isolate,
      setupFiles: ['test/support/setup.ts'],
      provide: { seed: SEED, isQuick: QUICK },
      deps: { optimizer: { ssr: { enabled: true, include: BUNDLED } } },
      testTimeout: 30_000,
      hookTimeout: 30_000,
    },
  }
}

/** A project whose tests run in Node and start what they call. */
function node(name: string, include: string[]) {
  return {
    plugins: [wasmModules],
    // The example website imports the client as a package, which need not be built.
    resolve: { alias: { 'estia/client': join(import.meta.dirname, 'src/client/index.ts') } },
    test: {
      name,
      include,
      exclude: LEFT_OUT,
      server: { deps: { inline: [/\.wasm$/] } },
      testTimeout: 180_000,
      hookTimeout: 180_000,
      // Wrangler runs the build of the Worker in a shell, of which Node warns each time.
      execArgv: ['--disable-warning=DEP0190'],
    },
  }
}

export default defineConfig({
  test: {
    // The service logs a line per request; only a failing test wants to be read.
    silent: 'passed-only',
    // Vitest would leave one core to itself, which it hardly uses.
    maxWorkers: '100%',
    tags: [{ name: 'slow', description: 'Races, faults and walks that take long: `npm run test:all`.' }],
    globalSetup: ['test/support/generate.ts'],
    projects: [
      ...CODEC,
      workerd('workerd', {
        include: ['test/**/*.test.ts'],
        exclude: ['test/node/**', 'test/tools/**', 'test/browser/**', ...CACHED, ...OWN_MODULES, ...LEFT_OUT],
      }),
      workerd('workerd-cache', { include: CACHED }, { cacheAPI: true }),
      workerd('workerd-own', { include: OWN_MODULES, exclude: LEFT_OUT }, { isolate: true }),
      // What workerd cannot do to itself: GET requests with a body.
      node('node', ['test/node/**/*.test.ts']),
      // Scripts, developer tools, guides and the installed client, as people meet them. `npm run test:tools`.
      node('tools', ['test/tools/**/*.test.ts']),
      {
        // What people look at, in Chromium. `npm run test:browser`; each file starts a service of its own.
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
          fileParallelism: false,
          // A page that breaks off a request can end `wrangler dev`, which is then started again.
          retry: { count: 2, delay: 5_000 },
        },
      },
    ],
  },
})

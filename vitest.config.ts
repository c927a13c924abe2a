import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig, type Plugin } from 'vitest/config'

/** Makes an import of a `.wasm` file in Node what it is in workerd: the compiled module. */
const wasmModules: Plugin = {
  name: 'wasm-modules',
  enforce: 'pre',
  load(id) {
    const [path = ''] = id.split('?')
    if (!path.endsWith('.wasm')) return null
    return `import { readFile } from 'node:fs/promises'
      export default await WebAssembly.compile(await readFile(${JSON.stringify(path)}))`
  },
}

export default defineConfig({
  test: {
    // The service logs a line per request; only a failing test wants to be read.
    silent: 'passed-only',
    // Vitest would leave one core to itself, which it hardly uses.
    maxWorkers: '100%',
    globalSetup: ['test/support/generate.ts'],
    projects: [
      {
        // Everything over HTTP in workerd, on real D1, R2 and KV.
        plugins: [
          cloudflareTest(async () => ({
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                ADMIN_TOKEN: 'test-admin-token',
                ALLOW_PRIVATE_PHOTO_URLS: 'true',
                CALLS_PER_KEY: '',
                FAILURES_PER_ADDRESS: '',
                MIGRATIONS: await readD1Migrations('migrations'),
              },
              ratelimits: { BUDGET_OF_THREE: { namespace_id: '3', simple: { limit: 3, period: 10 } } },
            },
          })),
        ],
        test: {
          name: 'workerd',
          include: ['test/**/*.test.ts'],
          exclude: ['test/node/**', 'test/browser/**'],
          setupFiles: ['test/support/setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        // What workerd cannot do to itself: GET requests with a body, command-line scripts, photos beside sharp.
        plugins: [wasmModules],
        test: {
          name: 'node',
          include: ['test/node/**/*.test.ts'],
          testTimeout: 180_000,
          hookTimeout: 180_000,
          server: { deps: { inline: [/\.wasm$/] } },
        },
      },
      {
        // What people look at, in Chromium. `npm run test:browser`; each file starts a service of its own.
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
    ],
  },
})

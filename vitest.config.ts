import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    // The service logs a line per request; only a failing test wants to be read.
    silent: 'passed-only',
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
                MIGRATIONS: await readD1Migrations('migrations'),
              },
            },
          })),
        ],
        test: {
          name: 'workerd',
          include: ['test/**/*.test.ts'],
          exclude: ['test/node/**'],
          setupFiles: ['test/support/setup.ts'],
        },
      },
      {
        // What workerd cannot do to itself: GET requests with a body, command-line scripts.
        test: { name: 'node', include: ['test/node/**/*.test.ts'], testTimeout: 60_000, hookTimeout: 60_000 },
      },
    ],
  },
})

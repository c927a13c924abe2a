import { cloudflareTest } from '@cloudflare/vitest-pool-workers'
import { defineProject } from 'vitest/config'

/** The codec where it is deployed. */
export default defineProject({
  plugins: [
    cloudflareTest({
      miniflare: {
        compatibilityDate: '2026-08-15',
        modulesRules: [{ type: 'CompiledWasm', include: ['**/*.wasm'] }],
      },
    }),
  ],
  test: {
    name: 'photo-codec-workerd',
    include: ['test/*.test.ts'],
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})

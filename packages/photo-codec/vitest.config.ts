import { defineProject } from 'vitest/config'
import { wasmModules } from './scripts/wasm-modules.ts'

/** What workerd cannot run: sharp, and the commands of this package. */
export default defineProject({
  plugins: [wasmModules],
  test: {
    name: 'photo-codec',
    include: ['test/node/**/*.test.ts'],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    server: { deps: { inline: [/\.wasm$/] } },
  },
})

import { defineProject, type Plugin } from 'vitest/config'

/** Makes an import of a `.wasm` file in Node what it is in workerd: the compiled module. */
export const wasmModules: Plugin = {
  name: 'wasm-modules',
  enforce: 'pre',
  load(id) {
    const [path = ''] = id.split('?')
    if (!path.endsWith('.wasm')) return null
    return `import { readFile } from 'node:fs/promises'
      export default await WebAssembly.compile(await readFile(${JSON.stringify(path)}))`
  },
}

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

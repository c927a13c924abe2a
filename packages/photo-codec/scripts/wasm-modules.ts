import type { Plugin } from 'vitest/config'

/** A Vite plugin that makes an import of a `.wasm` file in Node what it is in workerd: the compiled module. */
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

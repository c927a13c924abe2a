/**
 * Lets plain Node import WebAssembly as workerd does: the default export of a `.wasm` file is its compiled module.
 *
 *     import '../scripts/wasm-hook.ts'
 *     const { processPhoto } = await import('../src/process.ts')
 *
 * Only imports made after this one are served, hence the dynamic import. A worker thread registers its own hook.
 */

import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.wasm')) return nextLoad(url, context)
    // The file is read here so that a missing one fails with its path, before anything is compiled.
    const base64 = readFileSync(fileURLToPath(url)).toString('base64')
    return {
      format: 'module',
      shortCircuit: true,
      source: `export default new WebAssembly.Module(Buffer.from('${base64}', 'base64'))`,
    }
  },
})

/**
 * Counts the memory that a job leaves behind: every WebAssembly memory made since this module was loaded (they grow
 * and never shrink, so afterwards their size is their peak). It must be imported before the
 * code that is measured. Memory of plain JavaScript is not counted.
 */

/** The two bytes-in, bytes-out results of a job. */
export interface Copies {
  original: Uint8Array
  watermarked: Uint8Array
}

const memories = new Set<WebAssembly.Memory>()

function watch(value: unknown): void {
  if (value instanceof WebAssembly.Memory) memories.add(value)
}

// A proxy, and not a class: glue code asks `instanceof WebAssembly.Instance`.
WebAssembly.Instance = new Proxy(WebAssembly.Instance, {
  construct(target, [module, imports]: [WebAssembly.Module, WebAssembly.Imports?]) {
    const instance = new target(module, imports)
    Object.values(instance.exports).forEach(watch)
    for (const provided of Object.values(imports ?? {})) Object.values(provided).forEach(watch)
    return instance
  },
})

const { instantiate } = WebAssembly
Reflect.set(WebAssembly, 'instantiate', async (code: WebAssembly.Module, imports?: WebAssembly.Imports) => {
  const made: { instance?: WebAssembly.Instance; exports?: WebAssembly.Exports } = await instantiate(
    code,
    imports,
  )
  Object.values(made.instance?.exports ?? made.exports ?? {}).forEach(watch)
  return made
})

/** Bytes of all WebAssembly memories so far. */
export function wasmBytes(): number {
  return [...memories].reduce((sum, memory) => sum + memory.buffer.byteLength, 0)
}

/** Bytes of all WebAssembly memories so far, of the file and of both copies. */
export function accountedBytes(picture: Uint8Array, { original, watermarked }: Copies): number {
  return wasmBytes() + picture.byteLength + original.byteLength + watermarked.byteLength
}

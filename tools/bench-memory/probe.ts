/** Marks the moments at which a call holds most, so that V8 can be asked within a computation. */

/** Bytes or characters from which on something counts. */
const LARGE = 500_000

/**
 * Asked where a marked bundle has stopped: collects garbage, and returns how many bytes of WebAssembly memory are left. V8
 * counts those nowhere. The second collection sweeps what the first has found.
 */
export const ASK_AT_STOP = 'globalThis.gc(); globalThis.gc(); globalThis.countCodecBytes()'

/**
 * A bundle that stops for a debugger, if there is one, behind each step that makes or holds something large: JSON, text,
 * base64, a photo in the codec.
 */
export function addMarks(bundle: string): string {
  return `(${stopAtLargeSteps.toString()})(${LARGE});\n${bundle}`
}

/** Runs in the Worker, in front of its code: nothing of this module is there. */
function stopAtLargeSteps(large: number): void {
  const memories: WeakRef<WebAssembly.Memory>[] = []
  const countCodecBytes = () => {
    const sizes = memories.map((memory) => memory.deref()?.buffer.byteLength ?? 0)
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  Object.assign(globalThis, { countCodecBytes })
  const stop = () => {
    // biome-ignore lint/suspicious/noDebugger: this is the mark.
    debugger
  }
  const isLarge = (value: unknown) =>
    (typeof value === 'string' || value instanceof Uint8Array) && value.length >= large
  // Stops while what went in and what came out are both there.
  const mark = (owner: object, name: string) => {
    const step: (...given: unknown[]) => unknown = Reflect.get(owner, name)
    Reflect.set(owner, name, function marked(this: unknown, ...given: unknown[]) {
      const made = step.apply(this, given)
      if (isLarge(given[0]) || isLarge(made)) stop()
      return made
    })
  }
  mark(JSON, 'parse')
  mark(JSON, 'stringify')
  mark(TextDecoder.prototype, 'decode')
  mark(TextEncoder.prototype, 'encode')
  mark(Uint8Array, 'fromBase64')
  const decodePiece = Uint8Array.prototype.setFromBase64
  // A long text is decoded piece by piece: behind the last one, all of its bytes are there.
  Uint8Array.prototype.setFromBase64 = function marked(...given) {
    const read = decodePiece.apply(this, given)
    const { byteLength } = this.buffer
    if (byteLength >= large && this.byteOffset + this.byteLength === byteLength) stop()
    return read
  }
  const { Instance } = WebAssembly
  Reflect.set(
    WebAssembly,
    'Instance',
    function MarkedInstance(...given: ConstructorParameters<typeof Instance>) {
      const { exports } = new Instance(...given)
      const memory = Object.values(exports).find((value) => value instanceof WebAssembly.Memory)
      if (!memory) return { exports }
      memories.push(new WeakRef(memory))
      let seen = memory.buffer.byteLength
      const marked = Object.entries(exports).map(([name, value]) => {
        if (typeof value !== 'function') return [name, value]
        const step = (...numbers: unknown[]) => {
          const made: unknown = value(...numbers)
          // It may have grown before this call: the encoder of WebP works in a function that is not exported.
          if (memory.buffer.byteLength > seen || name.startsWith('write')) stop()
          seen = memory.buffer.byteLength
          return made
        }
        return [name, step]
      })
      return { exports: Object.fromEntries(marked) }
    },
  )
}

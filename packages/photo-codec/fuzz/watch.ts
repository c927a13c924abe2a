/** Sees what happens inside WebAssembly even where the code around it says nothing. */

let largest = 0
let trap: WebAssembly.RuntimeError | undefined

/** The last trap since this was called before: one that was caught on the way is not lost. */
export function takeTrap(): WebAssembly.RuntimeError | undefined {
  const taken = trap
  trap = undefined
  return taken
}

/** Bytes of the largest memory that any instance has had. */
export function largestMemory(): number {
  return largest
}

/** Watches every instance that is made from now on. */
export function watchInstances(): void {
  const { Instance, instantiate } = WebAssembly
  const made = new Proxy(Instance, {
    construct: (Native, [module, imports]: [WebAssembly.Module, WebAssembly.Imports?]) =>
      watched(new Native(module, imports)),
  })
  Object.defineProperty(WebAssembly, 'Instance', { value: made })
  Object.defineProperty(WebAssembly, 'instantiate', {
    value: async (module: WebAssembly.Module, imports?: WebAssembly.Imports) =>
      watched(await instantiate(module, imports)),
  })
}

function watched(instance: WebAssembly.Instance): WebAssembly.Instance {
  const values = Object.entries(instance.exports)
  const memory = values.map(([, value]) => value).find((value) => value instanceof WebAssembly.Memory)
  const exports = values.map(([name, value]) => [name, isCall(value) ? watchedCall(value, memory) : value])
  return Object.create(instance, { exports: { value: Object.fromEntries(exports) } })
}

type Call = (...values: unknown[]) => unknown

function isCall(value: unknown): value is Call {
  return typeof value === 'function'
}

function watchedCall(call: Call, memory: WebAssembly.Memory | undefined): Call {
  return (...values) => {
    try {
      return call(...values)
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError) trap = error
      throw error
    } finally {
      largest = Math.max(largest, memory?.buffer.byteLength ?? 0)
    }
  }
}

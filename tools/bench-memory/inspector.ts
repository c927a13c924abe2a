/** What V8 tells of an isolate, over workerd's own inspector. It answers only while no request computes. */

/** What an isolate holds, in bytes. */
export interface Usage {
  /** Objects and texts of JavaScript. */
  heap: number
  /** What the runtime keeps for them. */
  embedder: number
  /** Buffers, WebAssembly memory included. */
  buffers: number
}

export interface Inspector {
  /** What is held once garbage is collected; null when nothing answered in time. */
  usage(): Promise<Usage | null>
  close(): void
}

/** How long an answer may take, in milliseconds. */
const PATIENCE = 60_000

/** Connects to the isolate of the only Worker. */
export async function connectInspector(port: number): Promise<Inspector> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    id: string
    webSocketDebuggerUrl: string
  }[]
  const address = targets[0]?.webSocketDebuggerUrl
  if (!address) throw new Error('The inspector knows no Worker')
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`No inspector at ${address}`)))
  })
  const waiting = new Map<number, (result: unknown) => void>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result } = JSON.parse(String(data)) as { id?: number; result?: unknown }
    if (id !== undefined) waiting.get(id)?.(result ?? null)
  })
  let last = 0
  const ask = (method: string) =>
    new Promise<unknown>((resolve) => {
      const id = ++last
      waiting.set(id, resolve)
      setTimeout(resolve, PATIENCE, null).unref()
      socket.send(JSON.stringify({ id, method }))
    })
  return {
    async usage() {
      // Sent together, so that nothing runs between the two.
      const [, found] = (await Promise.all([
        ask('HeapProfiler.collectGarbage'),
        ask('Runtime.getHeapUsage'),
      ])) as [
        unknown,
        {
          usedSize: number
          embedderHeapUsedSize?: number
          backingStorageSize?: number
        } | null,
      ]
      if (!found) return null
      const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = found
      return { heap: usedSize, embedder: embedderHeapUsedSize, buffers: backingStorageSize }
    },
    close: () => socket.close(),
  }
}

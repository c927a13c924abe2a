/**
 * What V8 reports of an isolate, over workerd's own inspector. It answers while no request computes, and where one has
 * stopped at a mark.
 */
import { ASK_AT_STOP } from './probe.ts'

/** What an isolate holds, in bytes. */
export interface Usage {
  /** Objects and texts of JavaScript. */
  heap: number
  /** Buffers outside it, and what the runtime keeps. */
  buffers: number
  /** WebAssembly memory. */
  codec: number
}

export interface Inspector {
  /** Lets the isolate stop at its marks, and reports at each stop what is held once garbage is collected. */
  stopAtMarks(report: (usage: Usage) => void): Promise<void>
  /** Stops as soon as something is computed, as at a mark. */
  stop(): void
  close(): void
}

/** As the protocol has them. */
interface HeapUsage {
  usedSize: number
  embedderHeapUsedSize?: number
  backingStorageSize?: number
}
interface Message {
  id?: number
  result?: unknown
  method?: string
  params?: { callFrames?: { callFrameId: string }[] }
}
interface Evaluated {
  result?: { value?: unknown }
}

/** How long an answer may take, in milliseconds. */
const TIMEOUT_MS = 60_000

/** Connects to the isolate of the only Worker. */
export async function connectInspector(port: number): Promise<Inspector> {
  const socket = await openSocket(port)
  const waiting = new Map<number, (result: unknown) => void>()
  let last = 0
  let codec = 0
  let atStop = async (_frame: string): Promise<void> => undefined

  const ask = <T>(method: string, params: Record<string, unknown> = {}) =>
    new Promise<T>((resolve, reject) => {
      const id = ++last
      waiting.set(id, (result) => resolve(result as T))
      // What was asked last may be cut off by the end.
      const giveUp = () =>
        socket.readyState === WebSocket.OPEN && reject(new Error('The inspector does not answer'))
      setTimeout(giveUp, TIMEOUT_MS).unref()
      socket.send(JSON.stringify({ id, method, params }))
    })
  const usage = async (): Promise<Usage> => {
    const found = await ask<HeapUsage>('Runtime.getHeapUsage')
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = found
    return { heap: usedSize, buffers: backingStorageSize + embedderHeapUsedSize, codec }
  }
  socket.addEventListener('message', ({ data }) => {
    const { id, result, method, params } = JSON.parse(String(data)) as Message
    if (id !== undefined) waiting.get(id)?.(result ?? {})
    if (method === 'Debugger.paused') void atStop(params?.callFrames?.[0]?.callFrameId ?? '')
  })
  return {
    async stopAtMarks(notify) {
      atStop = async (callFrameId) => {
        const question = { callFrameId, expression: ASK_AT_STOP, returnByValue: true }
        const { result } = await ask<Evaluated>('Debugger.evaluateOnCallFrame', question)
        if (typeof result?.value !== 'number') throw new Error('The isolate stopped and does not answer')
        codec = result.value
        notify(await usage())
        socket.send(JSON.stringify({ id: ++last, method: 'Debugger.resume' }))
      }
      await ask('Debugger.enable')
    },
    stop: () => socket.send(JSON.stringify({ id: ++last, method: 'Debugger.pause' })),
    close: () => socket.close(),
  }
}

async function openSocket(port: number): Promise<WebSocket> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    webSocketDebuggerUrl: string
  }[]
  const address = targets[0]?.webSocketDebuggerUrl
  if (!address) throw new Error('The inspector knows no Worker')
  const socket = new WebSocket(address)
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve)
    socket.addEventListener('error', () => reject(new Error(`No inspector at ${address}`)))
  })
  return socket
}

/** A client before a service that answers as it is told. */
import { vi } from 'vitest'
import { type Call, createCall } from '../../src/client/call.ts'
import type { CallHeaders } from '../../src/client/headers.ts'
import type { Retries } from '../../src/client/retry.ts'

/**
 * What becomes of a try: the status of its answer, also with headers and body; `lost`: there is none; `cut`: its body
 * ends half-way; `page`, `nothing`: it is one of somebody else, who thinks that all is well.
 */
export type Reply =
  | number
  | 'lost'
  | 'cut'
  | 'page'
  | 'nothing'
  | { status: number; headers?: Record<string, string>; body?: unknown }

/** A try as it was sent. */
interface Try {
  method: string
  url: string
  headers: Headers
  /** In hexadecimal. */
  body: string
  /** Milliseconds since the first. */
  after: number
}

export const LOST = new TypeError('fetch failed')

/** Calls `make` and answers its tries one after the other; the clock is `vi`'s own, and ticks as it is waited for. */
export async function converse(
  make: (call: Call) => Promise<unknown>,
  replies: Reply[],
  options: { retries?: Retries | false; headers?: CallHeaders } = {},
) {
  const tries: Try[] = []
  let begin = 0
  const call = createCall({
    baseUrl: 'https://agency.example',
    headers: {},
    retries: undefined,
    ...options,
    fetch: async (request) => {
      if (tries.length === 0) begin = Date.now()
      const reply = replies[tries.length]
      const { method, url, headers } = request
      tries.push({ method, url, headers, body: toHex(await request.bytes()), after: Date.now() - begin })
      if (reply === undefined) throw new Error('No further try was expected')
      if (reply === 'lost') throw LOST
      if (reply === 'nothing') return new Response(null)
      if (reply === 'page') return new Response('<html>')
      return reply === 'cut' ? new Response(cutOff()) : answer(reply)
    },
  })
  const outcome = make(call).then(
    (result) => ({ result: result as Awaited<ReturnType<Call>>, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  )
  await vi.runAllTimersAsync()
  return { tries, ...(await outcome) }
}

function answer(reply: Exclude<Reply, string>): Response {
  const { status, headers, body } = typeof reply === 'number' ? { status: reply } : reply
  const told = status < 400 ? { status } : { status, error_message: `Answer ${status}` }
  return Response.json(body ?? told, { status, headers })
}

function cutOff(): ReadableStream {
  return new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"status":')),
    pull: (controller) => controller.error(LOST),
  })
}

/** The bytes of a text, or of a body, in hexadecimal. */
export function toHex(bytes: Uint8Array | string): string {
  return Buffer.from(bytes).toString('hex')
}

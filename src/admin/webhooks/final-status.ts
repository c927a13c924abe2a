/**
 * The final status of a receiver. HTTP allows interim responses (1xx, such as `103 Early Hints`) before the final one, and
 * `fetch` of workerd returns the first of them. Its body is then the rest of the connection. That rest starts with the next
 * response head, so the final status can still be read.
 */
import { withDeadline } from '../../net/deadline.ts'

/** Maximum bytes of response heads that are read. */
const MAX_HEADS = 16 * 1024

const STATUS_LINE = /^HTTP\/1\.[01] (\d{3})[ \r]/
const END_OF_HEAD = '\r\n\r\n'

/** Whether another response follows. 101 is final: from then on the connection speaks another protocol. */
export function isInterim(status: number): boolean {
  return status < 200 && status !== 101
}

/** Reads the status that follows an interim response. Null when no final status comes before `signal` aborts. */
export async function readFinalStatus({ body }: Response, signal: AbortSignal): Promise<number | null> {
  if (!body) return null
  const reader = body.getReader()
  try {
    return await readHeads(reader, signal)
  } catch {
    return null
  } finally {
    // Waiting for the cancellation could take as long as the connection.
    reader.cancel().catch(() => undefined)
  }
}

async function readHeads(reader: ReadableStreamDefaultReader<Uint8Array>, signal: AbortSignal) {
  const decoder = new TextDecoder()
  let heads = ''
  for (let read = 0; read < MAX_HEADS; ) {
    const { done, value } = await withDeadline(signal, reader.read())
    if (done) return null
    read += value.length
    heads = dropInterim(heads + decoder.decode(value, { stream: true }))
    const [, status] = STATUS_LINE.exec(heads) ?? []
    if (status && !isInterim(Number(status))) return Number(status)
  }
  return null
}

/** The text after all complete interim heads. */
function dropInterim(heads: string): string {
  let rest = heads
  for (;;) {
    const [, status] = STATUS_LINE.exec(rest) ?? []
    const end = rest.indexOf(END_OF_HEAD)
    if (!status || !isInterim(Number(status)) || end < 0) return rest
    rest = rest.slice(end + END_OF_HEAD.length)
  }
}

/** Sends texts as they are made. */
import type { Context } from 'hono'
import type { App } from '../http/context.ts'
import { describeFailure, log } from '../http/log.ts'

/**
 * A body that is made as fast as the client reads. A fault ends it where it is and is logged: the closing tag or bracket
 * is missing, so that nobody takes what came before for a whole file. The connection is no sign of it, as workerd ends
 * the chunks of a broken body like those of a whole one.
 */
export function streamText(c: Context<App>, texts: AsyncGenerator<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { value, done } = await texts.next()
          if (done) controller.close()
          else controller.enqueue(encoder.encode(value))
        } catch (error) {
          log('error', { request_id: c.get('requestId'), stream: c.req.routePath, ...describeFailure(error) })
          controller.error(error)
        }
      },
      async cancel() {
        await texts.return(undefined)
      },
    },
    // Nothing is made before it is asked for.
    { highWaterMark: 0 },
  )
}

/** The same entries, the first of which is made now: if that fails, this rejects, and an error can still be answered. */
export async function begin<T>(entries: AsyncGenerator<T>): Promise<AsyncGenerator<T>> {
  const first = await entries.next()
  return (async function* () {
    if (first.done) return
    yield first.value
    yield* entries
  })()
}

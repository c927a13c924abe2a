/** Calls that a client sends again until they are answered. */
import { bearer, send } from '../http/send.ts'
import type { Data } from './api.ts'

/** Sends a call to one of these deployments after the other until it is answered, and at last to a sound one. */
export async function callUntilAnswered(
  key: string,
  [method, path, body]: [method: string, path: string, body?: object | undefined],
  ...broken: Partial<Env>[]
): Promise<{ status: number; answer: Data }> {
  const once = method === 'POST' && { 'Idempotency-Key': crypto.randomUUID() }
  const init = { headers: { ...bearer(key), ...once }, ...(body && { body: JSON.stringify(body) }) }
  for (let tries = 0; ; tries++) {
    const reply = await send(method, path, init, broken[tries])
    const answer = await reply.json<Data>()
    const isAtWork = reply.status === 409 && String(answer.error_message).includes('Idempotency-Key')
    if (tries === broken.length || (reply.status < 500 && !isAtWork)) return { status: reply.status, answer }
  }
}

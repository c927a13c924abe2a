/** Verifies deliveries of webhooks (https://www.standardwebhooks.com) and parses their payload. */
import type { Change } from './changes.ts'

/** The payload of a delivery. `data` of a test is empty. */
export interface WebhookPayload {
  type: 'changes' | 'test'
  /** Time of sending, as ISO 8601. */
  timestamp: string
  /** The latest changes, in order. */
  data: Change[]
}

/** The delivery is not genuine or malformed. Reply with 4xx. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/** Headers of a `Request` or of `node:http`, or a plain record with names in any case. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/** Maximum difference between the clocks of sender and receiver. */
const TOLERANCE_SECONDS = 300
/** Base64 of at least 12 bytes. */
const SECRET = /^(?:whsec_)?((?:[A-Za-z0-9+/]{4}){4,}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/

/**
 * The payload of a delivery that was signed with `secret` within the last five minutes.
 * @param body exactly as received: parsing and serialising it again may change it
 * @param secret `whsec_…`; pass several while you rotate the secret
 * @throws WebhookError if the delivery cannot be trusted
 * @throws TypeError if `secret` is invalid, or `body` is neither text nor bytes
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | ArrayBuffer | Uint8Array,
  secret: string | readonly string[],
): Promise<WebhookPayload> {
  const keys = await Promise.all((typeof secret === 'string' ? [secret] : secret).map(importSecret))
  if (keys.length === 0) throw new TypeError('No secret to verify with')
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signature = readHeader(headers, 'webhook-signature')
  checkTime(timestamp)
  const bytes = bytesOf(body)
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const signatures = signature.split(' ').filter((part) => part.startsWith('v1,'))
  let isGenuine = false
  for (const key of keys) {
    const expected = `v1,${toBase64(await crypto.subtle.sign('HMAC', key, signed))}`
    for (const one of signatures) if (isEqual(one, expected)) isGenuine = true
  }
  if (!isGenuine) throw new WebhookError('No webhook-signature matches this secret')
  return parsePayload(bytes)
}

function bytesOf(body: string | ArrayBuffer | Uint8Array): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // Many frameworks parse the body, and then the signed bytes are lost.
  if (!ArrayBuffer.isView(body) && !isBuffer(body)) {
    throw new TypeError('The body has to be as it was received: text or bytes, not what it was parsed to')
  }
  return new Uint8Array(body)
}

/** Also recognises an ArrayBuffer of another realm, as test runners and virtual machines create them. */
const isBuffer = (body: unknown) => Object.prototype.toString.call(body) === '[object ArrayBuffer]'

async function importSecret(secret: string): Promise<CryptoKey> {
  const [, base64] = SECRET.exec(secret) ?? []
  if (!base64) throw new TypeError('The secret of a webhook is whsec_ and base64')
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const found =
    typeof headers.get === 'function'
      ? headers.get(name)
      : Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  const value = Array.isArray(found) ? found.join(' ') : found
  if (!value) throw new WebhookError(`Missing header ${name}`)
  return value
}

function checkTime(timestamp: string): void {
  if (!/^\d{1,12}$/.test(timestamp)) throw new WebhookError('Invalid webhook-timestamp')
  const age = Math.floor(Date.now() / 1000) - Number(timestamp)
  if (age > TOLERANCE_SECONDS) throw new WebhookError('The webhook-timestamp is too old')
  if (age < -TOLERANCE_SECONDS) throw new WebhookError('The webhook-timestamp is in the future')
}

/** Compares in constant time for strings of the same length. */
function isEqual(one: string, other: string): boolean {
  let difference = one.length ^ other.length
  for (let at = 0; at < other.length; at++) difference |= one.charCodeAt(at) ^ other.charCodeAt(at)
  return difference === 0
}

function parsePayload(bytes: Uint8Array): WebhookPayload {
  try {
    const payload = JSON.parse(new TextDecoder().decode(bytes))
    if (typeof payload.type === 'string' && Array.isArray(payload.data)) return payload
  } catch {
    // Not JSON: reported below.
  }
  throw new WebhookError('The body is not a delivery of changes')
}

function concatenate(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(head.length + tail.length)
  whole.set(head)
  whole.set(tail, head.length)
  return whole
}

const toBase64 = (bytes: ArrayBuffer) => btoa(String.fromCharCode(...new Uint8Array(bytes)))

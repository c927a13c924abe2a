import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import { describe, expect, it } from 'vitest'
import { verifyWebhook, WebhookError } from '../../src/client/webhook.ts'

const SECRET = `whsec_${btoa('a secret of twenty-four b')}`
const OTHER = `whsec_${btoa('another secret, as long as it')}`
const ENTRY = { cursor: 'c1', resource: 'listings', id: 7, change: 'changed', date: '2026-11-21 10:00:00' }
const PAYLOAD = { type: 'changes', timestamp: '2026-11-21T10:00:00.000Z', data: [ENTRY] }
const BODY = JSON.stringify(PAYLOAD)
const ID = 'msg_1'
/** One moment for all that is signed, as the parts of a delivery have to agree. */
const NOW = Date.now()

/** The headers of a delivery as the independent library signs it. */
function sign(body = BODY, { secret = SECRET, age = 0 } = {}) {
  const date = new Date(NOW - age * 1000)
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(date.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign(ID, date, body),
  }
}

/** The headers with each name and value written otherwise. */
const rewritten = (write: (entry: [name: string, value: string]) => [string, unknown]) =>
  Object.fromEntries(Object.entries(sign()).map(write)) as Record<string, string>

type Verified = Parameters<typeof verifyWebhook>
const bytes = new TextEncoder().encode(BODY)

describe('verifyWebhook', () => {
  it.each<[string, Verified[0], body?: Verified[1], secret?: Verified[2]]>([
    ['a plain record of headers', sign()],
    ['Headers', new Headers(sign())],
    ['names in capitals', rewritten(([name, value]) => [name.toUpperCase(), value])],
    ['values as lists', rewritten(([name, value]) => [name, [value]])],
    ['bytes', sign(), bytes],
    ['a buffer', sign(), new Uint8Array(bytes).buffer],
    ['Headers of another library', new Map(Object.entries(sign())) as never],
    ['a secret without its prefix', sign(), BODY, SECRET.replace('whsec_', '')],
    ['one of several secrets', sign(), BODY, [OTHER, SECRET]],
    ['a clock that is behind', sign(BODY, { age: -290 })],
    ['a clock that is ahead', sign(BODY, { age: 290 })],
  ])('takes %s', async (_, headers, body = BODY, secret = SECRET) => {
    expect(await verifyWebhook(headers, body, secret)).toEqual(PAYLOAD)
  })

  it('takes a test, and text beyond ASCII', async () => {
    const test = JSON.stringify({ type: 'test', timestamp: 'Άννα 😀', data: [] })
    expect(await verifyWebhook(sign(test), test, SECRET)).toEqual(JSON.parse(test))
  })

  const signed = (changes: Record<string, string | undefined>) => ({ ...sign(), ...changes })
  const earlier = sign(BODY, { age: 9 })['webhook-timestamp']
  const UNMATCHED = 'No webhook-signature matches this secret'
  const MALFORMED = 'The body is not a delivery of changes'

  it.each<[string, message: string, Verified[0], body?: string, secret?: string]>([
    ['no id', 'Missing header webhook-id', signed({ 'webhook-id': undefined })],
    ['no time', 'Missing header webhook-timestamp', signed({ 'webhook-timestamp': undefined })],
    ['no signature', 'Missing header webhook-signature', new Headers({ ...sign(), 'webhook-signature': '' })],
    ['another body', UNMATCHED, sign(), `${BODY} `],
    ['another id', UNMATCHED, signed({ 'webhook-id': 'msg_2' })],
    ['another time', UNMATCHED, signed({ 'webhook-timestamp': earlier })],
    ['another secret', UNMATCHED, sign(), BODY, OTHER],
    ['no time but a text', 'Invalid webhook-timestamp', signed({ 'webhook-timestamp': 'now' })],
    ['an old delivery', 'The webhook-timestamp is too old', sign(BODY, { age: 310 })],
    ['one of the future', 'The webhook-timestamp is in the future', sign(BODY, { age: -310 })],
    ['no JSON', MALFORMED, sign('hello'), 'hello'],
    ['another form', MALFORMED, sign('null'), 'null'],
    ['another form', MALFORMED, sign('{"type":"test"}'), '{"type":"test"}'],
  ])('refuses %s', async (_, message, headers, body = BODY, secret = SECRET) => {
    const error = await verifyWebhook(headers, body, secret).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(WebhookError)
    expect(error).toMatchObject({ name: 'WebhookError', message })
  })

  it.each([
    [''],
    ['whsec_'],
    ['whsec_c2hvcnQ='],
    ['a secret'],
    [`v1,${SECRET}`],
    ['whsec_AAAAAAAAAAAAAAAAA'],
    [[]],
    [[SECRET, '']],
  ])('will not do with the secret %j', async (secret) => {
    await expect(verifyWebhook(sign(), BODY, secret)).rejects.toThrow(TypeError)
  })

  it.each([[PAYLOAD], [null], [undefined], [7], [[]]])('will not do with the body %j', async (body) => {
    await expect(verifyWebhook(sign(), body as never, SECRET)).rejects.toThrow(
      new TypeError('The body has to be as it was received: text or bytes, not what it was parsed to'),
    )
  })

  it('agrees with the independent library about every signature', async () => {
    const signature = sign()['webhook-signature']
    const prefix = fc.constantFrom('', 'v1,', 'v1', 'v2,')
    const part = fc.oneof(
      { weight: 2, arbitrary: fc.constant(signature) },
      fc.constantFrom(sign(BODY, { secret: OTHER })['webhook-signature'], `${signature}A`),
      fc.tuple(prefix, fc.oneof(fc.string(), fc.base64String())).map((parts) => parts.join('')),
      fc.nat(signature.length).map((at) => signature.slice(0, at)),
      fc.nat(signature.length - 1).map((at) => `${signature.slice(0, at)}!${signature.slice(at + 1)}`),
    )
    let genuine = 0
    const signatures = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '))
    await fc.assert(
      fc.asyncProperty(signatures, async (given) => {
        const headers = { ...sign(), 'webhook-signature': given }
        const expected = isGenuine(headers)
        if (expected) genuine++
        expect(await verifyWebhook(headers, BODY, SECRET).then(Boolean, () => false)).toBe(expected)
      }),
      { numRuns: 300 },
    )
    expect(genuine).toBeGreaterThan(20)
  })
})

function isGenuine(headers: Record<string, string>): boolean {
  try {
    return Boolean(new Webhook(SECRET).verify(BODY, headers))
  } catch {
    return false
  }
}

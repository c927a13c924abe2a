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

describe('verifyWebhook', () => {
  it.each<[string, Parameters<typeof verifyWebhook>]>([
    ['a plain record of headers', [sign(), BODY, SECRET]],
    ['Headers', [new Headers(sign()), BODY, SECRET]],
    [
      'names in capitals',
      [
        Object.fromEntries(Object.entries(sign()).map(([name, value]) => [name.toUpperCase(), value])),
        BODY,
        SECRET,
      ],
    ],
    [
      'values as lists',
      [Object.fromEntries(Object.entries(sign()).map(([name, value]) => [name, [value]])), BODY, SECRET],
    ],
    ['bytes', [sign(), new TextEncoder().encode(BODY), SECRET]],
    ['a buffer', [sign(), new Uint8Array(new TextEncoder().encode(BODY)).buffer, SECRET]],
    ['Headers of another library', [new Map(Object.entries(sign())) as never, BODY, SECRET]],
    ['a secret without its prefix', [sign(), BODY, SECRET.replace('whsec_', '')]],
    ['one of several secrets', [sign(), BODY, [OTHER, SECRET]]],
    ['a clock that is behind', [sign(BODY, { age: -290 }), BODY, SECRET]],
    ['a clock that is ahead', [sign(BODY, { age: 290 }), BODY, SECRET]],
  ])('takes %s', async (_, parameters) => {
    expect(await verifyWebhook(...parameters)).toEqual(PAYLOAD)
  })

  it('takes a test, and text beyond ASCII', async () => {
    const test = JSON.stringify({ type: 'test', timestamp: 'Άννα 😀', data: [] })
    expect(await verifyWebhook(sign(test), test, SECRET)).toEqual(JSON.parse(test))
  })

  const without = (name: string) => ({ ...sign(), [name]: undefined })
  it.each<[string, Parameters<typeof verifyWebhook>, string]>([
    ['no id', [without('webhook-id'), BODY, SECRET], 'Missing header webhook-id'],
    ['no time', [without('webhook-timestamp'), BODY, SECRET], 'Missing header webhook-timestamp'],
    [
      'no signature',
      [new Headers({ ...sign(), 'webhook-signature': '' }), BODY, SECRET],
      'Missing header webhook-signature',
    ],
    ['another body', [sign(), `${BODY} `, SECRET], 'No webhook-signature matches this secret'],
    [
      'another id',
      [{ ...sign(), 'webhook-id': 'msg_2' }, BODY, SECRET],
      'No webhook-signature matches this secret',
    ],
    [
      'another time',
      [{ ...sign(), 'webhook-timestamp': sign(BODY, { age: 9 })['webhook-timestamp'] }, BODY, SECRET],
      'No webhook-signature matches this secret',
    ],
    ['another secret', [sign(), BODY, OTHER], 'No webhook-signature matches this secret'],
    [
      'no time but a text',
      [{ ...sign(), 'webhook-timestamp': 'now' }, BODY, SECRET],
      'Invalid webhook-timestamp',
    ],
    ['an old delivery', [sign(BODY, { age: 310 }), BODY, SECRET], 'The webhook-timestamp is too old'],
    [
      'one of the future',
      [sign(BODY, { age: -310 }), BODY, SECRET],
      'The webhook-timestamp is in the future',
    ],
    ['no JSON', [sign('hello'), 'hello', SECRET], 'The body is not a delivery of changes'],
    ['another form', [sign('null'), 'null', SECRET], 'The body is not a delivery of changes'],
    [
      'another form',
      [sign('{"type":"test"}'), '{"type":"test"}', SECRET],
      'The body is not a delivery of changes',
    ],
  ])('refuses %s', async (_, parameters, message) => {
    const error = await verifyWebhook(...parameters).catch((thrown: unknown) => thrown)
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

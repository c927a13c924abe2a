// @module-tag slow
import { describe, expect, it } from 'vitest'
import { callBytes, type FuzzAnswer, type FuzzCall } from '../../tools/fuzz-api/call.ts'
import { validate } from '../../tools/fuzz-api/validate.ts'
import { run } from '../../tools/runtime/dev-server.ts'

const GET: FuzzCall = { method: 'GET', target: '/api/listings', headers: [], body: null, malformed: false }

function answer(status: number, text: string): { answer: FuzzAnswer } {
  const sent = { 'x-request-id': '1', 'content-type': 'application/json' }
  return { answer: { status, text, headers: new Map(Object.entries(sent)) } }
}

describe('damaged calls', () => {
  it('are answered as every call is', { timeout: 300_000 }, async () => {
    const { code, output } = await run('tools/fuzz-api.ts', ['--seed', '1', '--calls', '5000'])
    expect(code, output).toBe(0)
    expect(output).toContain('0 findings; the service is well')
    const [, served = ''] = /^Answers of the service: (.*)$/m.exec(output) ?? []
    expect(served).toMatch(/\b200: \d{3,}/)
    expect(served).toMatch(/\b400: \d{3,}/)
    expect(served).not.toMatch(/\b5(?!03)\d\d:/)
  })
})

describe('the validation of a reply', () => {
  it.each([
    ['a list', GET, answer(200, '{"status":200,"data":[]}'), null],
    ['a refusal', GET, answer(400, '{"status":400,"error_message":"Invalid page"}'), null],
    ['a fault', GET, answer(500, '{"status":500,"error_message":"Internal server error"}'), 'answers 500'],
    [
      'a picture elsewhere',
      GET,
      answer(503, '{"status":503,"error_message":"photos.1: Could not download photo"}'),
      null,
    ],
    ['plain text', GET, answer(400, 'Bad Request'), '400 with a body that is no JSON'],
    [
      'another status inside',
      GET,
      answer(404, '{"status":400,"error_message":"x"}'),
      '404 without its status in the body',
    ],
    [
      'a further key',
      GET,
      answer(404, '{"status":404,"error_message":"x","id":1}'),
      'an error with error_message,id,status',
    ],
    ['SQL', GET, answer(400, '{"status":400,"error_message":"D1_ERROR: x"}'), 'reveals its inside'],
    ['silence', GET, { failure: 'no answer' as const }, 'no answer'],
    ['silence after half a body', { ...GET, malformed: true }, { failure: 'no answer' as const }, null],
    ['a closed door', GET, { failure: 'refused' as const }, 'the service is dead'],
    ['a body after HEAD', { ...GET, method: 'HEAD' }, answer(200, '{}'), 'a body where 200 has none'],
  ])('knows %s', (_, call, outcome, expected) => {
    expect(validate(call, outcome)).toBe(expected)
  })
})

describe('the bytes of a call', () => {
  it('hold no line break that the call did not', () => {
    const call: FuzzCall = {
      ...GET,
      method: 'POST',
      headers: [['Prefer', 'a\r\nb: c']],
      body: Buffer.from('{}'),
    }
    expect(callBytes(call, 'localhost:1').toString()).toBe(
      'POST /api/listings HTTP/1.1\r\nHost: localhost:1\r\nPrefer: ab: c\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}',
    )
  })
})

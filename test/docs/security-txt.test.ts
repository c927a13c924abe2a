import { describe, expect, it } from 'vitest'
import { send } from '../http/send.ts'
import { expectError } from '../support/api.ts'

const PATH = '/.well-known/security.txt'

describe('GET /.well-known/security.txt', () => {
  it.each(['mailto:security@example.com', 'https://example.com/report'])('names %s', async (contact) => {
    const answer = await send(
      'GET',
      PATH,
      {},
      { SECURITY_CONTACT: contact, PUBLIC_BASE_URL: 'https://api.example.com/' },
    )
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/plain; charset=UTF-8'])
    const [first, expires = '', ...rest] = (await answer.text()).split('\n')
    expect([first, ...rest]).toEqual([
      `Contact: ${contact}`,
      'Preferred-Languages: el, en',
      'Canonical: https://api.example.com/.well-known/security.txt',
      'Policy: https://api.example.com/docs/security.md',
      '',
    ])
    const days = (Date.parse(expires.replace('Expires: ', '')) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(170)
    expect(days).toBeLessThan(365)
  })

  it.each([
    undefined,
    '',
    'security@example.com',
    'http://example.com',
    'mailto:a@example.com\nContact: mailto:b@example.com',
    'mailto:',
  ])('is 404 with %j', async (contact) => {
    await expectError(await send('GET', PATH, {}, { SECURITY_CONTACT: contact }), 404, 'Not found')
  })
})

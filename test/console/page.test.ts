/** The page of the console: who gets it, what browsers let it do, and what it says of errors in Greek. */
import { describe, expect, it } from 'vitest'
import { GAVE_UP_REASON, GONE_REASON } from '../../src/admin/webhooks/deliver.ts'
import { ATTEMPT_ERRORS, interimOnlyError } from '../../src/admin/webhooks/send.ts'
import { said } from '../../src/console/app/errors.tsx'
import { send } from '../http/send.ts'
import { expectError } from '../support/api.ts'

const NOT_SIGNED_IN = 'Sign in with Cloudflare Access'

describe('GET /console', () => {
  it('is a page without inline scripts, which nothing may frame', async () => {
    const answer = await send('GET', '/console')
    expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8'])
    const policy = answer.headers.get('Content-Security-Policy') ?? ''
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
      "form-action 'none'",
    ])
      expect(policy.split('; ')).toContain(rule)
    expect(policy).not.toContain('unsafe')
    const page = await answer.text()
    // Nobody is signed in, so that the script does not ask who is.
    expect(page).not.toContain('data-access')
    expect(page).not.toMatch(/<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/)
    expect([...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address)).toEqual([
      'data:,',
      '/console/console.css',
      '/console/console.js',
    ])
  })

  it('shows pictures of its own origin, and of where the photos are', async () => {
    const answer = await send('GET', '/console', {}, { PICTURES_BASE_URL: 'https://pictures.test/a/' })
    const policy = answer.headers.get('Content-Security-Policy') ?? ''
    expect(policy.split('; ')).toContain("img-src 'self' data: https://pictures.test")
  })

  it.each([
    ['no assertion', { ACCESS_TEAM: 'team', ACCESS_AUD: 'a' }],
    ['the team alone', { ACCESS_TEAM: 'team' }],
    ['the audience alone', { ACCESS_AUD: 'a' }],
  ])('is 401 with %s', async (_, settings) => {
    await expectError(await send('GET', '/console', {}, settings), 401, NOT_SIGNED_IN)
  })

  it.each(['console.html', 'x', '..%2Fdocs'])('has no file %s', async (name) => {
    await expectError(await send('GET', `/console/${name}`), 404, 'Not found')
  })

  it('has scripts and a style of at most 60 KB compressed, and loads another of its own when it needs one', async () => {
    let bytes = 0
    const script = await (await send('GET', '/console/console.js')).text()
    const names = (pattern: RegExp) => [...new Set([...script.matchAll(pattern)].map(([, name]) => name))]
    expect(names(/import\("\.\/([^"]+)"\)/g)).toEqual(['imports.js'])
    for (const name of ['console.js', ...names(/from"\.\/([^"]+)"/g), 'console.css']) {
      const { body } = await send('GET', `/console/${name}`)
      if (!body) throw new Error('No body')
      bytes += (await new Response(body.pipeThrough(new CompressionStream('gzip'))).arrayBuffer()).byteLength
    }
    expect(bytes).toBeGreaterThan(5000)
    expect(bytes).toBeLessThan(60_000)
  })
})

it('the Greek console has Greek for every error and reason of a webhook', () => {
  const reasons = [interimOnlyError(103), GAVE_UP_REASON, GONE_REASON, 'Answer 500']
  for (const message of [...Object.values(ATTEMPT_ERRORS), ...reasons])
    expect(said(message, 'el'), message).toMatch(/^[Α-ΩΆ-Ώ]/)
})

import { env } from 'cloudflare:workers'
import { expect, it, vi } from 'vitest'
import { encryptSecret, makeSecret } from '../../src/admin/webhooks/secrets.ts'
import { REAL_TIMING, sendWebhook } from '../../src/admin/webhooks/send.ts'
import { API_VERSION } from '../../src/http/version.ts'
import { downloadPhoto } from '../../src/photos/download.ts'
import { requireHuman } from '../../src/resources/enquiries/turnstile.ts'
import { send } from './send.ts'

/** What each call sends as its `User-Agent`, by the path of its address. */
function listen(answer: (path: string) => Response): [path: string, agent: string | null][] {
  const heard: [string, string | null][] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const { pathname } = new URL(String(input))
    heard.push([pathname, new Headers((init as RequestInit).headers).get('User-Agent')])
    return answer(pathname)
  })
  return heard
}

const at = (PUBLIC_BASE_URL: string): Env => ({ ...env, PUBLIC_BASE_URL })

/** A JWT whose signature nobody looks at, as the keys cannot be had. */
const ASSERTION = [{ alg: 'RS256', kid: 'one', typ: 'JWT' }, { email: 'a@example.com' }, {}]
  .map((part) => btoa(JSON.stringify(part)))
  .join('.')

it.each([
  ['', `Estia/${API_VERSION}`],
  ['https://api.example.com', `Estia/${API_VERSION} (+https://api.example.com)`],
  ['https://api.example.com/', `Estia/${API_VERSION} (+https://api.example.com)`],
  ['https://σπίτια.example/api', `Estia/${API_VERSION} (+https://xn--kxaex0aoi.example/api)`],
  ['no address', `Estia/${API_VERSION}`],
])('every call that goes out says who calls, with the base %j', async (base, agent) => {
  const heard = listen((path) => {
    if (path.endsWith('siteverify')) return Response.json({ success: true })
    if (path === '/first.jpg')
      return new Response(null, { status: 302, headers: { Location: '/second.jpg' } })
    return new Response('x', { status: path.endsWith('certs') ? 500 : 200 })
  })
  await downloadPhoto('https://example.com/first.jpg', { env: at(base) })
  const secret = await encryptSecret(at(base), makeSecret())
  const to = { url: 'https://example.com/hook', secret, old_secret: null, old_secret_expires: null }
  await sendWebhook(at(base), to, { batch_id: 'msg_1', type: 'test', data: '[]' }, REAL_TIMING)
  await requireHuman(at(base), 'secret', { token: 'token', address: '' })
  await send(
    'GET',
    '/admin/self',
    { headers: { 'Cf-Access-Jwt-Assertion': ASSERTION, 'Sec-Fetch-Site': 'same-origin' } },
    {
      PUBLIC_BASE_URL: base,
      // Of its own: keys of a team are kept for the tests of other files.
      ACCESS_TEAM: `outgoing-${base.length}`,
      ACCESS_AUD: 'x',
    },
  )
  expect(heard).toEqual(
    ['/first.jpg', '/second.jpg', '/hook', '/turnstile/v0/siteverify', '/cdn-cgi/access/certs'].map(
      (path) => [path, agent],
    ),
  )
})

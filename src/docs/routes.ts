/**
 * The public documentation: the page `/docs`, its guides as Markdown, and `/llms.txt`. `scripts/build/docs.ts` makes
 * the files, which are served as static assets.
 */
import type { Context } from 'hono'
import { z } from 'zod'
import type { App } from '../http/context.ts'
import { Router } from '../http/endpoint/router.ts'
import { ApiError } from '../http/errors.ts'
import { isLocal, publicBase } from '../http/urls.ts'

/** Not part of the OpenAPI document, because these are pages and not calls. */
export const docsRoutes = new Router('Documentation pages', 'The reference and the guides.')

/** Scalar needs inline styles. Scripts, pictures and calls may only use this origin. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

docsRoutes.get('/', { summary: 'Redirects to the documentation' }, (c) => c.redirect('/docs'))

docsRoutes.get('/docs', { summary: 'The reference and the guides', replyType: 'text/html' }, async (c) => {
  const { body } = await asset(c, '/docs')
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Cache-Control': 'no-cache',
  }
  const page = new Response(body, { headers })
  // Pages elsewhere get it without the key: by CORS, or under a name of theirs that leads to this machine.
  const key = isLocal(c) && !c.req.header('Origin') ? c.env.DOCS_DEMO_KEY : undefined
  return key ? withDemoKey(page, key) : page
})

docsRoutes.get(
  '/docs/{name}',
  {
    summary: 'A guide',
    params: z.object({ name: z.string().describe('Name of its file') }),
    replyType: 'text/markdown',
  },
  (c) => asset(c, new URL(c.req.url).pathname),
)

docsRoutes.get('/llms.txt', { summary: 'The guides, for machines', replyType: 'text/plain' }, (c) =>
  asset(c, '/llms.txt'),
)

/** How long `/.well-known/security.txt` may be relied on, in ms: RFC 9116 asks for less than a year. */
const SECURITY_LIFETIME = 180 * 24 * 3600 * 1000

docsRoutes.get(
  '/.well-known/security.txt',
  { summary: 'Where to report a vulnerability (RFC 9116)', replyType: 'text/plain' },
  (c) => {
    const contact = c.env.SECURITY_CONTACT ?? ''
    if (!/^(?:mailto:|https:\/\/|tel:)[\x21-\x7e]+$/.test(contact)) throw new ApiError(404, 'Not found')
    const base = publicBase(c)
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(Date.now() + SECURITY_LIFETIME).toISOString()}`,
      'Preferred-Languages: el, en',
      `Canonical: ${base}/.well-known/security.txt`,
      `Policy: ${base}/docs/security.md`,
    ]
    return c.text(`${lines.join('\n')}\n`, 200, { 'Cache-Control': 'max-age=86400' })
  },
)

const segment = z.string().describe('A part of its name')

/** Assets of the pages and the typed client, with the parameters of their paths. */
const FILES = {
  '/client.tgz': {},
  '/reference/{name}': { name: segment },
  '/scalar/{version}/{name}': { version: segment, name: segment },
  '/scalar/{version}/{folder}/{name}': { version: segment, folder: segment, name: segment },
  '/viewer/{name}': { name: segment },
}
for (const [path, params] of Object.entries(FILES)) {
  docsRoutes.get(path, { summary: 'A file', params: z.object(params), replyType: '*/*' }, (c) =>
    asset(c, new URL(c.req.url).pathname),
  )
}

/** A file of `public/`. Throws 404. */
export async function asset(c: Context<App>, path: string): Promise<Response> {
  // The request body is not passed on, because assets do not read it.
  const { method, headers } = c.req.raw
  const answer = await c.env.ASSETS.fetch(new URL(path, c.req.url), { method, headers })
  if (!answer.ok && answer.status !== 304) throw new ApiError(404, 'Not found')
  return new Response(answer.body, answer)
}

/** The page with the key of a development server, so that readers can try calls immediately. */
function withDemoKey(page: Response, key: string): Response {
  return new HTMLRewriter()
    .on('meta[name="demo-key"]', {
      element: (meta) => {
        meta.setAttribute('content', key)
      },
    })
    .transform(page)
}

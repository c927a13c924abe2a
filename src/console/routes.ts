/** `/console`: the page for people who run the service. Its script calls `/admin` and `/api` like any other client. */
import { z } from 'zod'
import { asset } from '../docs/routes.ts'
import { accessState, findSignedIn } from '../http/caller/access.ts'
import { unauthorized } from '../http/caller/auth.ts'
import { Router } from '../http/endpoint/router.ts'
import { PICTURES, publicUrlBuilder } from '../http/urls.ts'

/** Not part of the OpenAPI document, because these are pages and not calls. */
export const consoleRoutes = new Router('Console', 'The page for people who run the service.')

/**
 * Scripts, styles and calls are of this origin, pictures also of where the service has its photos; nothing may frame the
 * page.
 */
const contentSecurityPolicy = (pictures: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    `img-src 'self' data: ${pictures}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')

const NOT_SIGNED_IN = 'Sign in with Cloudflare Access'

consoleRoutes.get('/console', { summary: 'The console', replyType: 'text/html' }, async (c) => {
  // Where people sign in with Access, others do not get the page; half a configuration lets no one in.
  const isAccess = accessState(c.env) !== 'off'
  if (isAccess && !(await findSignedIn(c))) throw await unauthorized(c, NOT_SIGNED_IN)
  const page = await (await asset(c, '/console/console')).text()
  // The script then asks who has signed in. Elsewhere that would be a refused call of each visit.
  const pictures = new URL(publicUrlBuilder(c)(PICTURES)).origin
  return new Response(isAccess ? page.replace('<html ', '<html data-access="on" ') : page, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy(pictures),
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-store',
    },
  })
})

consoleRoutes.get(
  '/console/{name}',
  {
    summary: 'A file',
    params: z.object({
      name: z
        .enum(['console.js', 'console.css', 'chunk.js', 'imports.js', 'csv.js'], 'Not found')
        .describe('Its name'),
    }),
    replyType: '*/*',
  },
  (c, input) => asset(c, `/console/${input.params().name}`),
)

/**
 * Keeps the copy of `sync-listings.ts` in step to the second: whenever the service says that something changed, the copy
 * is brought up to date. What is told twice, late or never does no harm, as the copy knows how far it is.
 *
 *     ESTIA_KEY=estia_… WEBHOOK_SECRET=whsec_… npm run example:webhooks
 */
import { serve } from '@hono/node-server'
import { verifyWebhook, WebhookError } from 'estia/client'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
// The import has brought the copy up to date.
import { sync } from './sync-listings.ts'

const { WEBHOOK_SECRET = '', PORT = '8788' } = process.env

const app = new Hono()
let latest = Promise.resolve()

app.post('/webhooks', bodyLimit({ maxSize: 1_000_000 }), async (c) => {
  // While a secret is exchanged for another, both are named, with a blank between them.
  const { type, data } = await verifyWebhook(c.req.raw.headers, await c.req.text(), WEBHOOK_SECRET.split(' '))
  console.log(`${type}: ${data.length}`)
  // One delivery after the other, and a success only once the copy has it: otherwise the service tries again.
  latest = latest.catch(() => undefined).then(sync)
  await latest
  return c.body(null, 204)
})

app.onError((error, c) => {
  if (error instanceof WebhookError) return c.text(error.message, 401)
  console.error(error)
  return c.text('The copy is not up to date', 500)
})

serve({ fetch: app.fetch, port: Number(PORT) }, ({ port }) => console.log(`Listening on port ${port}`))

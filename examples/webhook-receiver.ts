/**
 * Keeps the copy of `sync-listings.ts` current within seconds: each delivery of the webhook updates it. Repeated, late or
 * missing deliveries do no harm, because the copy stores its own cursor.
 *
 *     ESTIA_KEY=estia_… WEBHOOK_SECRET=whsec_… npm run example -- --webhooks
 */
import { serve } from '@hono/node-server'
import { verifyWebhook, WebhookError } from 'estia/client'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
// The import itself updates the copy first.
import { sync } from './sync-listings.ts'

const { WEBHOOK_SECRET = '', PORT = '8788' } = process.env

const app = new Hono()
let latest = Promise.resolve()

app.post('/webhooks', bodyLimit({ maxSize: 1_000_000 }), async (c) => {
  // While a secret is rotated, WEBHOOK_SECRET contains both, separated by a space.
  const { type, data } = await verifyWebhook(c.req.raw.headers, await c.req.text(), WEBHOOK_SECRET.split(' '))
  console.log(`${type}: ${data.length}`)
  // Deliveries are processed in order. Success is reported only once the copy is updated; otherwise the service retries.
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

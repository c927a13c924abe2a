/** `/admin/webhooks`: subscriptions to changes and the state of their deliveries. */
import { batch, database } from '../../db/client.ts'
import { LONG_URL } from '../../fields/values.ts'
import { describeEntered } from '../../http/caller/provenance.ts'
import { Router } from '../../http/endpoint/router.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { deletedBody, lookupBody, recordBody, updatedBody } from '../../http/reply/envelope.ts'
import type { Draft } from '../../http/request/check.ts'
import { CURSOR_TOO_OLD, findCursor, isCursorTooOld } from '../../resources/changes/queries.ts'
import { ADMINISTRATION } from '../tag.ts'
import { expectSubscriptions } from './after-write.ts'
import { attemptStatements, findAttempts, MAX_ATTEMPTS, presentAttempt } from './attempts.ts'
import { newWebhook, presentWebhook, webhook, webhookAttempt, webhookInput, webhookUpdate } from './schema.ts'
import { encryptSecret, makeSecret } from './secrets.ts'
import { newBatchId, REAL_TIMING, sendWebhook } from './send.ts'
import {
  createWebhook,
  type FoundWebhooks,
  findWebhooks,
  MAX_WEBHOOKS,
  removeWebhook,
  rotateSecret,
  TOO_MANY_WEBHOOKS,
  updateWebhook,
} from './store.ts'
import { parseWebhookUrl, TOO_LONG, WEBHOOK_URL_RULE } from './url.ts'

export const webhookRoutes = new Router(...ADMINISTRATION)

const RESOURCE = 'Webhook'
const scope = 'admin:webhooks'
const OF_ONE = { scope, resource: RESOURCE } as const

webhookRoutes.post(
  '/admin/webhooks',
  {
    summary: 'Subscribe to changes',
    scope,
    description:
      'Every new entry of `/api/changes` is sent to the URL within seconds, signed with the secret. Only this response ' +
      `contains the secret. At most ${MAX_WEBHOOKS} subscriptions. See [Webhooks](/docs/webhooks.md).`,
    body: webhookInput,
    reply: recordBody(newWebhook),
    errors: { 409: TOO_MANY_WEBHOOKS, 410: CURSOR_TOO_OLD },
  },
  async (c, input) => {
    const draft = await input.body()
    checkAddress(c.env, draft)
    const { url, resources, description, after } = draft.complete()
    const db = database(c.env)
    const cursor = typeof after === 'string' ? await findCursor(db, after) : null
    const secret = makeSecret()
    const stored = await createWebhook(db, {
      url,
      resources: resources ?? null,
      description: description ?? null,
      secret: await encryptSecret(c.env, secret),
      cursor,
    })
    expectSubscriptions(c.env)
    const { row, feed } = onlyOne(stored)
    describeEntered(c.env, { record_id: String(row.id) })
    return { ...presentWebhook(row, feed.deployment), secret }
  },
)

webhookRoutes.get(
  '/admin/webhooks',
  {
    summary: 'List the subscriptions',
    scope,
    description: 'Oldest first, including disabled ones, without their secrets.',
    reply: lookupBody(webhook),
  },
  async (c) => {
    const { rows, feed } = await findWebhooks(database(c.env))
    return rows.map((row) => presentWebhook(row, feed.deployment))
  },
)

webhookRoutes.get(
  '/admin/webhooks/{id}',
  {
    ...OF_ONE,
    summary: 'Read a subscription',
    description: 'Its cursor, whether deliveries fail, and why it was disabled.',
    reply: recordBody(webhook),
  },
  async (c, input) => {
    const { row, feed } = await requireWebhook(c.env, input.id())
    return presentWebhook(row, feed.deployment)
  },
)

webhookRoutes.put(
  '/admin/webhooks/{id}',
  {
    ...OF_ONE,
    summary: 'Change a subscription',
    description:
      'A subscription that is enabled again continues at its cursor. If tombstones after that cursor are already deleted, ' +
      'the answer is 410: let the receiver read everything again, and send the cursor that it got as `after`.',
    body: webhookUpdate,
    reply: updatedBody,
    errors: { 410: CURSOR_TOO_OLD },
  },
  async (c, input) => {
    const draft = await input.body()
    const id = input.id()
    const { row, feed } = await requireWebhook(c.env, id)
    checkAddress(c.env, draft)
    const { after, ...columns } = draft.complete()
    const db = database(c.env)
    const cursor = typeof after === 'string' ? await findCursor(db, after) : undefined
    if (columns.enabled && !cursor && isCursorTooOld(row, feed)) throw new ApiError(410, CURSOR_TOO_OLD)
    if (!(await updateWebhook(db, id, { ...columns, cursor }))) throw notFound(RESOURCE)
    expectSubscriptions(c.env)
    return id
  },
)

webhookRoutes.delete(
  '/admin/webhooks/{id}',
  {
    ...OF_ONE,
    summary: 'End a subscription',
    description: 'Nothing more is sent. A delivery that is being sent at this moment may still arrive.',
    reply: deletedBody,
  },
  async (c, input) => {
    const id = input.id()
    if (!(await removeWebhook(database(c.env), id))) throw notFound(RESOURCE)
    return id
  },
)

webhookRoutes.post(
  '/admin/webhooks/{id}/rotate',
  {
    ...OF_ONE,
    summary: 'Change the secret of a subscription',
    operationId: 'rotateWebhookSecret',
    description:
      'Only this response contains the new secret. For 24 hours deliveries carry two signatures, of the new secret and of ' +
      'the old one. Deliveries that wait for a retry are sent at once.',
    reply: recordBody(newWebhook),
  },
  async (c, input) => {
    const id = input.id()
    const secret = makeSecret()
    const sealed = await encryptSecret(c.env, secret)
    const { row, feed } = onlyOne(await rotateSecret(database(c.env), id, sealed, REAL_TIMING.now()))
    return { ...presentWebhook(row, feed.deployment), secret }
  },
)

webhookRoutes.post(
  '/admin/webhooks/{id}/test',
  {
    ...OF_ONE,
    summary: 'Send a test',
    operationId: 'testWebhook',
    description:
      'Sends `{"type": "test", "timestamp": …, "data": []}` and returns the attempt, even if the subscription is disabled. ' +
      'Changes nothing but the log of attempts.',
    reply: recordBody(webhookAttempt),
  },
  async (c, input) => {
    const id = input.id()
    const { row } = await requireWebhook(c.env, id)
    const message = { batch_id: newBatchId(), type: 'test', data: '[]' } as const
    const attempt = await sendWebhook(c.env, row, message, REAL_TIMING)
    await batch(database(c.env), { attempt: attemptStatements(id, attempt) })
    return presentAttempt(attempt)
  },
)

webhookRoutes.get(
  '/admin/webhooks/{id}/attempts',
  {
    ...OF_ONE,
    summary: 'List the attempts of a subscription',
    description: `The last ${MAX_ATTEMPTS}, newest first.`,
    reply: lookupBody(webhookAttempt),
  },
  async (c, input) => {
    const attempts = await findAttempts(database(c.env), input.id())
    if (!attempts) throw notFound(RESOURCE)
    return attempts
  },
)

/** Reads a subscription. Throws 404. */
async function requireWebhook(env: Env, id: number) {
  return onlyOne(await findWebhooks(database(env), id))
}

/** The only subscription of a result. Throws 404 when there is none. */
function onlyOne({ rows: [row], feed }: FoundWebhooks) {
  if (!row) throw notFound(RESOURCE)
  return { row, feed }
}

/** Replaces the URL of `draft` by its parsed form. Adds a problem when it must not be called. */
function checkAddress(env: Env, draft: Draft<{ url?: string }>): void {
  const { values } = draft
  if (values.url === undefined) return
  const address = parseWebhookUrl(values.url, env)
  if (address === null) draft.refuse('url', `Invalid url: ${WEBHOOK_URL_RULE}`)
  // Escaping can make it longer than the URL that was sent.
  else if (address.length > LONG_URL) draft.refuse('url', `Invalid url: ${TOO_LONG}`)
  else values.url = address
}

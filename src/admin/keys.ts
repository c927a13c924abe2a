/** `/admin/keys`: making, listing and revoking API keys. */
import { z } from 'zod'
import { dateTime, text } from '../fields/values.ts'
import { createKey, listKeys, revokeKey } from '../http/auth.ts'
import { itemBody, lookupBody } from '../http/envelope.ts'
import { ApiError } from '../http/errors.ts'
import { Router } from '../http/router.ts'

export const keyRoutes = new Router('Keys', 'API keys: made and revoked by whoever holds the ADMIN_TOKEN.')

const SCOPE = /^(\*|[a-z]+(-[a-z]+)*):(read|write)$/

const wantedKey = z.object({
  name: text().min(1).describe('What the key is for'),
  scopes: z
    .array(z.string().regex(SCOPE, 'must be <resource>:read, <resource>:write, *:read or *:write'))
    .min(1)
    .max(100)
    .describe('`<resource>:read`, `<resource>:write`; `*` stands for every resource'),
  expires: dateTime().nullish().describe('Last moment, in UTC; null: never'),
})

const key = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  expires: dateTime().nullable(),
  date_created: dateTime(),
})

keyRoutes.post(
  '/admin/keys',
  {
    summary: 'Make an API key',
    description: 'The answer is the only place where the key is ever shown.',
    body: wantedKey,
    reply: itemBody(key.extend({ key: z.string() })),
  },
  async (c, input) => {
    const { name, scopes, expires } = (await input.body()).complete()
    const { key, secret } = await createKey(c.env.API_KEYS, { name, scopes, expires: expires ?? null })
    return c.json({ status: 200, data: { ...key, key: secret } })
  },
)

keyRoutes.get('/admin/keys', { summary: 'List the API keys', reply: lookupBody(key) }, async (c) =>
  c.json({ status: 200, data: await listKeys(c.env.API_KEYS) }),
)

keyRoutes.delete(
  '/admin/keys/{id}',
  {
    summary: 'Revoke an API key',
    reply: z.object({ status: z.literal(200), deleted_id: z.string() }),
  },
  async (c) => {
    const id = c.req.param('id') ?? ''
    if (!(await revokeKey(c.env.API_KEYS, id))) throw new ApiError(404, 'Key not found')
    return c.json({ status: 200, deleted_id: id })
  },
)

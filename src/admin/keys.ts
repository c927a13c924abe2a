/** `/admin/keys`: create, list and revoke API keys. */
import { z } from 'zod'
import { dateTime, filledText, list, unique } from '../fields/values.ts'
import { createKey, KEY_ID, listKeys, revokeKey } from '../http/caller/auth.ts'
import { Router } from '../http/endpoint/router.ts'
import { notFound } from '../http/errors.ts'
import { deleted, lookupBody, recordBody, replyWithLookup, replyWithRecord } from '../http/reply/envelope.ts'
import type { Draft } from '../http/request/check.ts'
import { ADMINISTRATION } from './tag.ts'

export const keyRoutes = new Router(...ADMINISTRATION)

const SCOPE = /^(\*|[a-z]+(-[a-z]+)*):(read|write)$/

const keyInput = z
  .object({
    name: filledText().describe('What the key is for'),
    scopes: list(z.string().regex(SCOPE, 'must be <resource>:read, <resource>:write, *:read or *:write'), {
      min: 1,
      max: 100,
    })
      .overwrite(unique)
      .describe('`<resource>:read`, `<resource>:write`; `*` stands for every resource'),
    expires: dateTime().nullish().describe('Last moment, in UTC; null: never'),
  })
  .meta({ id: 'ApiKeyInput', description: 'A new API key' })

const key = z
  .object({
    id: z.string().describe('Id of the key, used to revoke it; not secret'),
    name: z.string().describe('What the key is for'),
    scopes: z.array(z.string()).describe('What it may do'),
    expires: dateTime().nullable().describe('Last moment, in UTC; null: never'),
    date_created: dateTime().describe('When it was made'),
  })
  .meta({ id: 'ApiKey', description: 'An API key without its secret' })

const newKey = key
  .extend({ key: z.string().describe('The key itself, to be sent with every call') })
  .meta({ id: 'NewApiKey', description: 'An API key that was just made' })

keyRoutes.post(
  '/admin/keys',
  {
    summary: 'Make an API key',
    operationId: 'createApiKey',
    description:
      'Only this response contains the key: the service stores just its hash. The key works at once.',
    body: keyInput,
    reply: recordBody(newKey),
  },
  async (c, input) => {
    const draft = await input.body()
    checkScopes(draft, c.get('resources'))
    const { name, scopes, expires } = draft.complete()
    const { key, secret } = await createKey(c.env.API_KEYS, { name, scopes, expires: expires ?? null })
    return replyWithRecord(c, { ...key, key: secret })
  },
)

keyRoutes.get(
  '/admin/keys',
  {
    summary: 'List the API keys',
    operationId: 'listApiKeys',
    description: 'Oldest first, including expired ones, without their secrets.',
    reply: lookupBody(key),
  },
  async (c) => replyWithLookup(c, await listKeys(c.env.API_KEYS)),
)

keyRoutes.delete(
  '/admin/keys/{id}',
  {
    summary: 'Revoke an API key',
    operationId: 'revokeApiKey',
    resource: 'Key',
    params: z.object({
      id: z.string().regex(KEY_ID, 'Key not found').describe('Id of the key'),
    }),
    description: 'It stops working within about a minute, wherever it is used.',
    reply: z
      .object({
        status: z.literal(200).describe('Repeats the HTTP status code'),
        deleted_id: z.string().describe('Id of the key'),
      })
      .meta({ id: 'RevokedApiKeyResponse', description: 'The key that was revoked' }),
  },
  async (c, input) => {
    const { id } = input.params()
    if (!(await revokeKey(c.env.API_KEYS, id))) throw notFound('Key')
    return c.json(deleted(id))
  },
)

/** Adds a problem to `draft` for each scope of an unknown resource. */
function checkScopes(draft: Draft<z.output<typeof keyInput>>, resources: readonly string[]): void {
  for (const scope of draft.values.scopes ?? []) {
    const [resource = ''] = scope.split(':')
    if (resource === '*' || resources.includes(resource)) continue
    draft.refuse('scopes', `Invalid scopes: there is no ${resource}; resources are ${resources.join(', ')}`)
  }
}

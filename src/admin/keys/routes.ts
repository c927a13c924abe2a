/** `/admin/keys`: create, list, change and revoke API keys. */

import { z } from 'zod'
import { database } from '../../db/client.ts'
import { named } from '../../fields/values.ts'
import { describeEntered } from '../../http/caller/provenance.ts'
import { createKey, findKeyById, KEY_ID, listKeys, revokeKey } from '../../http/caller/stored-keys.ts'
import { Router } from '../../http/endpoint/router.ts'
import { notFound } from '../../http/errors.ts'
import { lookupBody, recordBody, status } from '../../http/reply/envelope.ts'
import { ADMINISTRATION } from '../tag.ts'
import { changeKey, forgetChanges } from './changes.ts'
import { checkAccess, checkReferences, checkScopes, ONLY_TOKEN, requireTokenFor } from './rules.ts'
import { keyInput, keyUpdate, listedKey, newKey, presentKey } from './schema.ts'

export const keyRoutes = new Router(...ADMINISTRATION)

const RESOURCE = 'Key'
const params = z.object({ id: z.string().regex(KEY_ID, `${RESOURCE} not found`).describe('Id of the key') })
const id = z.string().describe('Id of the key')
const OF_ONE = { scope: 'admin:keys', resource: RESOURCE, params } as const

keyRoutes.post(
  '/admin/keys',
  {
    summary: 'Make an API key',
    scope: 'admin:keys',
    operationId: 'createApiKey',
    description:
      'Only this response contains a secret key: the service stores just its hash. The key works at once.',
    body: keyInput,
    errors: { 403: ONLY_TOKEN },
    reply: recordBody(newKey),
  },
  async (c, input) => {
    const draft = await input.body()
    const isWebsite = checkScopes(draft)
    const publishable = isWebsite && draft.values.publishable !== false
    checkAccess(draft, { isWebsite, isPublishable: publishable })
    await checkReferences(database(c.env), draft)
    const { name, scopes, expires, user_id, origins, stores } = draft.complete()
    requireTokenFor(c, { scopes })
    const { key, secret } = await createKey(c.env.API_KEYS, {
      name,
      scopes,
      expires: expires ?? null,
      user_id: user_id ?? null,
      ...(isWebsite
        ? { website: { publishable, origins: filledOrNull(origins), stores: filledOrNull(stores) } }
        : {}),
    })
    describeEntered(c.env, { record_id: key.id })
    return { ...presentKey(key), key: secret }
  },
)

keyRoutes.get(
  '/admin/keys',
  {
    summary: 'List the API keys',
    scope: 'admin:keys',
    operationId: 'listApiKeys',
    description: 'Oldest first, including expired ones. Secret keys are not shown, publishable ones are.',
    reply: lookupBody(listedKey),
  },
  async (c) => (await listKeys(c.env.API_KEYS)).map(presentKey),
)

keyRoutes.put(
  '/admin/keys/{id}',
  {
    ...OF_ONE,
    summary: 'Change an API key',
    operationId: 'updateApiKey',
    description:
      'Only the keys sent change. The change counts within about a minute, wherever the key is used. Scopes never change.',
    body: keyUpdate,
    reply: named('UpdatedApiKeyResponse', 'The key that was changed', { status, updated_id: id }),
  },
  async (c, input) => {
    const draft = await input.body()
    const { id } = input.params()
    const stored = await findKeyById(c.env.API_KEYS, id)
    if (!stored) throw notFound(RESOURCE)
    requireTokenFor(c, stored.key)
    const { website } = stored.key
    checkAccess(draft, { isWebsite: website !== undefined, isPublishable: website?.publishable === true })
    await checkReferences(database(c.env), draft)
    const { name, expires, user_id, origins, stores } = draft.complete()
    await changeKey(c.env, stored, {
      name,
      expires,
      user_id,
      origins: origins && filledOrNull(origins),
      stores: stores && filledOrNull(stores),
    })
    return id
  },
)

keyRoutes.delete(
  '/admin/keys/{id}',
  {
    ...OF_ONE,
    summary: 'Revoke an API key',
    operationId: 'revokeApiKey',
    description: 'It stops working within about a minute, wherever it is used.',
    reply: named('RevokedApiKeyResponse', 'The key that was revoked', { status, deleted_id: id }),
  },
  async (c, input) => {
    const { id } = input.params()
    const stored = await findKeyById(c.env.API_KEYS, id)
    // KV may not show a key yet that it lists. Then nothing is known of its scopes.
    if (!stored && c.get('key')) throw notFound(RESOURCE)
    if (stored) requireTokenFor(c, stored.key)
    await forgetChanges(database(c.env), id)
    if (!(await revokeKey(c.env.API_KEYS, id))) throw notFound(RESOURCE)
    return id
  },
)

/** An empty list means the same as null: no limit. */
function filledOrNull<T>(list: T[] | null | undefined): T[] | null {
  return list && list.length > 0 ? list : null
}

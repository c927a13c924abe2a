/** What is refused when an API key is made or changed. */
import type { Context } from 'hono'
import type { z } from 'zod'
import { EXTRA_SCOPES, isAdminScope, RESOURCES, WEBSITE_SCOPES } from '../../catalogue/scopes.ts'
import { type Database, runStatement } from '../../db/client.ts'
import { idList, selectMissing } from '../../db/references.ts'
import type { ApiKey, App } from '../../http/context.ts'
import { ApiError } from '../../http/errors.ts'
import type { Draft } from '../../http/request/check.ts'
import type { keyInput, keyUpdate } from './schema.ts'

const WEBSITE_SCOPE = [...WEBSITE_SCOPES].join(' or ')

type NewKey = Draft<z.output<typeof keyInput>>
type ChangedKey = Draft<z.output<typeof keyUpdate>>

/** Whether the scopes make a website key. Adds a problem for each scope that the key cannot have. */
export function checkScopes(draft: NewKey): boolean {
  const scopes = draft.values.scopes ?? []
  const isWebsite = scopes.some((scope) => WEBSITE_SCOPES.has(scope))
  for (const scope of scopes) {
    const [resource = ''] = scope.split(':')
    if (WEBSITE_SCOPES.has(scope)) continue
    if (isWebsite && draft.values.publishable === false && EXTRA_SCOPES.has(scope)) continue
    if (isWebsite && EXTRA_SCOPES.has(scope))
      draft.refuse('scopes', `Invalid scopes: a publishable key cannot have ${scope}`)
    else if (isWebsite) draft.refuse('scopes', `Invalid scopes: a key with ${WEBSITE_SCOPE} has no others`)
    else if (resource !== '*' && !isAdminScope(scope) && !RESOURCES.some((name) => name === resource))
      draft.refuse('scopes', `Invalid scopes: there is no ${resource}; resources are ${RESOURCES.join(', ')}`)
  }
  if (!isWebsite && draft.values.publishable)
    draft.refuse('publishable', `Invalid publishable: only a key with ${WEBSITE_SCOPE} can be`)
  return isWebsite
}

/** Throws 403 if the scopes let a key administer: only the holder of `ADMIN_TOKEN` makes, changes and revokes such keys. */
export function requireTokenFor(c: Context<App>, { scopes }: Pick<ApiKey, 'scopes'>): void {
  if (c.get('key') && scopes.some(isAdminScope)) throw new ApiError(403, ONLY_TOKEN)
}

export const ONLY_TOKEN = 'Only ADMIN_TOKEN may make, change or revoke a key with an admin scope'

/** Adds a problem for origins or stores that this kind of key cannot have. */
export function checkAccess(
  draft: NewKey | ChangedKey,
  { isWebsite, isPublishable }: { isWebsite: boolean; isPublishable: boolean },
): void {
  const { origins, stores } = draft.values
  if (origins?.length && !isPublishable)
    draft.refuse('origins', 'Invalid origins: only a publishable key has them')
  if (stores?.length && !isWebsite)
    draft.refuse('stores', `Invalid stores: only a key with ${WEBSITE_SCOPE} has them`)
}

/** Adds a problem for each store, and for the user, that does not exist. */
export async function checkReferences(db: Database, draft: NewKey | ChangedKey): Promise<void> {
  const { stores, user_id } = draft.values
  const references = [
    { field: 'stores', table: 'stores', ids: draft.isRefused('stores') ? [] : idList(stores) },
    { field: 'user_id', table: 'users', ids: idList(user_id) },
  ].filter(({ ids }) => ids.length > 0)
  if (references.length > 0) draft.refuseAll(await runStatement(db, selectMissing(references)))
}

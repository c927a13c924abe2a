/** `/api/changes`: the changes after a cursor, of all resources that the API key may read. */
import { z } from 'zod'
import { MATCHES_RESOURCE, RESOURCES } from '../../db/changes.ts'
import { database } from '../../db/client.ts'
import { int, list, named, text, unique } from '../../fields/values.ts'
import { BOOKMARK } from '../../http/bookmark.ts'
import { hasScope, missingScope } from '../../http/caller/auth.ts'
import { nameScope, type Scope } from '../../http/caller/scope.ts'
import { Router } from '../../http/endpoint/router.ts'
import { changesBody } from './present.ts'
import { CURSOR_TOO_OLD, findChanges } from './queries.ts'

const DEFAULT_LIMIT = 500
const MAX_LIMIT = 1000

/** One or several resources, as a list or as comma-separated text; null if absent. */
const resources = z
  .union([text(), list(text())])
  .nullish()
  .transform((value) => {
    const names = (Array.isArray(value) ? value : (value ?? '').split(',')).map((name) => name.trim())
    const resourceNames = unique(names.filter((name) => name !== ''))
    return resourceNames.length > 0 ? resourceNames : null
  })
  .refine((names) => names?.every((name) => RESOURCES.includes(name)) ?? true, {
    message: `must be one of ${RESOURCES.join(', ')}`,
  })
  .describe(
    `Only changes of these: ${RESOURCES.map((name) => `\`${name}\``).join(', ')}; a list, or comma-separated text. ` +
      'All that the key may read when omitted',
  )

const changeFilters = named('ChangeFilters', 'Filters of the change feed', {
  after: text()
    .nullish()
    .describe('A `cursor` or `next` of an earlier reply; from the beginning when omitted'),
  resources,
  limit: int()
    .min(1)
    .max(MAX_LIMIT)
    .nullish()
    .describe(`Maximum entries of the reply, up to ${MAX_LIMIT}; ${DEFAULT_LIMIT} when omitted`),
})

export const changeRoutes = new Router(
  'Changes',
  'What changed, in order, for clients that keep an exact copy. See [Keeping a copy](/docs/keeping-a-copy.md).',
)

changeRoutes.get(
  '/api/changes',
  {
    summary: 'List changes',
    description:
      'The latest change of each record, in the order in which the changes were stored. A record that changes again ' +
      'moves to the end. A client that follows `next` misses nothing. The feed contains the resources that the key may ' +
      'read (`matches` needs the scope of requests), and any key that may read one of them may call it. A cursor that ' +
      'precedes purged tombstones, after 90 days at the earliest, is answered with 410.',
    filters: changeFilters,
    list: true,
    checksScopes: true,
    reply: changesBody,
    errors: { 403: missingScope('contacts:read').message, 410: CURSOR_TOO_OLD },
  },
  async (c, input) => {
    const { after, resources, limit } = input.filters().complete()
    const mayRead = (resource: string) => hasScope(c.get('key'), scopeOf(resource))
    const refused = resources?.find((resource) => !mayRead(resource))
    if (refused) throw missingScope(nameScope(scopeOf(refused)))
    const requested = resources ?? RESOURCES.filter(mayRead)
    if (requested.length === 0) throw missingScope('*:read')
    const { entries, next, more } = await findChanges(database(c.env), {
      after: after ?? null,
      resources: requested,
      limit: limit ?? DEFAULT_LIMIT,
      // The bookmark of the caller may be older than the cursor.
      mayLag: c.get('headers')?.[BOOKMARK] !== undefined,
    })
    return c.json({ status: 200, data: entries, next, more })
  },
)

/** The scope that a key needs to read a resource of the feed. */
function scopeOf(resource: string): Scope {
  const [segment = ''] = resource.split('/')
  return { resource: resource === MATCHES_RESOURCE ? 'requests' : segment, access: 'read' }
}

/** `POST /api/contacts/{id}/merge` and `/unmerge`. */
import type { Context } from 'hono'
import { z } from 'zod'
import { database } from '../../../db/client.ts'
import { hasScope, missingScope } from '../../../http/caller/auth.ts'
import { nameScope, type Scope } from '../../../http/caller/scope.ts'
import type { App } from '../../../http/context.ts'
import type { Router } from '../../../http/endpoint/router.ts'
import { readQuery } from '../../../http/request/query.ts'
import {
  contactMerge,
  contactUnmerge,
  mergeContacts,
  mergedBody,
  restoredBody,
  unmergeContact,
} from './merge.ts'

const query = z.object({
  dry_run: z
    .enum(['true', 'false'])
    .optional()
    .describe('`true` answers as the merge would, and stores nothing'),
})

const SCOPES = 'Needs `contacts:write`, and the scope to write all that moves.'
const errors = { 403: 'This API key lacks the scope offers:write', 409: 'On hold: Court order' }

/** Throws 403 with the scopes that the caller lacks to write records of `resources`. */
const requireWriteOf = (c: Context<App>) => (resources: readonly string[]) => {
  const scopes = resources.map((resource): Scope => ({ resource, access: 'write' }))
  const missing = scopes.filter((scope) => !hasScope(c.get('key'), scope)).map(nameScope)
  if (missing.length > 0) throw missingScope(missing.join(', '))
}

/** Adds the merge of contacts, and its undoing, to `router`. */
export function serveMerges(router: Router): void {
  router.post(
    '/api/contacts/{id}/merge',
    {
      summary: 'Merge contacts',
      operationId: 'mergeContacts',
      description:
        'Merges up to 10 other contacts into this one, in one transaction. Its empty fields are filled from them in their ' +
        'order, lists are united, the latest consents count, and notes are appended; `fields` names whose value wins. What ' +
        'named them names it: offers, listings, custom fields and all others, up to 5,000 references. They count as deleted ' +
        `then, and can be given back for 30 days by \`unmerge\`. ${SCOPES}`,
      resource: 'Contact',
      query,
      errors,
      body: contactMerge,
      reply: mergedBody,
    },
    async (c, input) => {
      const isTrial = readQuery(c, query).dry_run === 'true'
      const draft = await input.body()
      const options = { requireWrite: requireWriteOf(c), isTrial }
      return c.json(await mergeContacts(database(c.env), input.record(), draft, options))
    },
  )
  router.post(
    '/api/contacts/{id}/unmerge',
    {
      summary: 'Undo the merge of a contact',
      operationId: 'unmergeContact',
      description:
        'Within 30 days, the contact is as it was before it was merged, and what named it names it again, unless that has ' +
        `changed since. The contact that it was merged into keeps what it was given, and may be deleted. ${SCOPES}`,
      resource: 'Contact',
      errors,
      body: contactUnmerge,
      reply: restoredBody,
    },
    async (c, input) => {
      const draft = await input.body()
      return c.json(await unmergeContact(database(c.env), input.record(), draft, requireWriteOf(c)))
    },
  )
}

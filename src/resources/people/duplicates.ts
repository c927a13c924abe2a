/**
 * Contacts that may be the same person. A bounded number is read: a switchboard or a common name may be that of thousands.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from 'hono'
import { z } from 'zod'
import { batch, database } from '../../db/client.ts'
import { havingKey, havingKeys } from '../../db/person-keys.ts'
import { linkedIds } from '../../db/relations.ts'
import { fragmentOf, type SqlFragment, type Statement, select, sqlStatement } from '../../db/statements.ts'
import { contact_users, contacts } from '../../db/tables/contacts.ts'
import { named, unique } from '../../fields/values.ts'
import { hasScope, requireScope } from '../../http/caller/auth.ts'
import type { App } from '../../http/context.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { ApiError } from '../../http/errors.ts'
import { lookupBody } from '../../http/reply/envelope.ts'
import { idFilter, textFilter } from '../../http/request/filters.ts'
import { readQuery } from '../../http/request/query.ts'
import { isSameKey, keysOf } from './keys.ts'

/** Maximum contacts that are read; fewer for each of several keys. */
const MOST = 20
const MOST_OF_SEVERAL = 8
const REASONS = ['email', 'phone', 'name'] as const

const READ = { resource: 'contacts', access: 'read' } as const
const PLACES = { places: ['contacts'] }
const HEADER = 'X-Possible-Duplicates'

/** SQL for the source `candidate.value`: the ids of other contacts with one of `keys`, a JSON list. One may come more than once. */
function candidates(keys: SQL, self: number | null = null): SQL {
  return sql`json_each(${keys}) known cross join json_each((select json_group_array(record_id) from (
    select found.record_id from ${havingKey(PLACES)} and found.record_id is not ${self}
    limit iif(json_array_length(${keys}) > 1, ${sql.raw(`${MOST_OF_SEVERAL}, ${MOST}`)})))) candidate`
}

const filters = named('DuplicateFilters', 'What is known of a person; at least one is required', {
  email: textFilter().describe('An e-mail address, also in `Name <address>`'),
  phone: textFilter().describe('A telephone number or several'),
  name: textFilter().describe('A name of at least two words, in any order, in Greek or Latin letters'),
  contact_id: idFilter().describe('A contact, of which everything counts; it is left out itself'),
})

const duplicate = named('PossibleDuplicate', 'A contact that may be the same person', {
  contact_id: z.int().describe('The contact'),
  name: z.string().describe('First and last name, or the company'),
  users: z.array(z.int()).describe('Agents: ids of users'),
  reasons: z.array(z.enum(REASONS)).describe('What is the same'),
})

/** Adds the call that finds contacts by what is known of a person. */
export function serveDuplicates(router: Router): void {
  router.get(
    '/api/contacts/duplicates',
    {
      summary: 'Find possible duplicates',
      operationId: 'listPossibleDuplicates',
      description:
        `Contacts with the same e-mail, telephone or name: at most ${MOST}, those with most reasons first. Telephones are the ` +
        'same if the digits of the shorter end the longer, of which seven to ten count; names, if their words are. ' +
        `At most ${MOST} are looked at, ${MOST_OF_SEVERAL} for each of several values.`,
      filters,
      list: true,
      reply: lookupBody(duplicate),
    },
    async (c, input) => {
      const draft = input.filters()
      const { email, phone, name, contact_id } = draft.values
      if (draft.isComplete && !(email || phone || name || contact_id))
        draft.refuse('email', 'Missing email: one of email, phone, name and contact_id is required')
      draft.complete()
      const sent = keysOf({ emails: [email], phones: [phone], names: [name] })
      const keys = sql`(select json_group_array(value order by value glob 'name:*', value) from (
        select value from json_each(${JSON.stringify(sent)}) union
        select value from contacts, json_each(person_keys, '$.contacts') where contacts.id = ${contact_id ?? null} and is_deleted = 0))`
      const { known, rows } = await batch(database(c.env), {
        known: sqlStatement<{ keys: string }>(sql`select ${keys} as keys`),
        rows: select(
          FIELDS,
          sql`from ${candidates(keys, contact_id)} cross join ${contacts} on ${contacts.id} = candidate.value limit ${MOST}`,
        ),
      })
      const wanted: string[] = JSON.parse(known[0]?.keys ?? '[]')
      const found = [...new Map(rows.map((row) => [row.id, row])).values()].map(
        ({ id, first_name, last_name, company_name, users, person_keys }) => {
          const own: string[] = JSON.parse(person_keys).contacts ?? []
          const same = own.filter((key) => wanted.some((one) => isSameKey(one, key)))
          const reasons = REASONS.filter((reason) => same.some((key) => key.startsWith(`${reason}:`)))
          return {
            contact_id: id,
            name: `${first_name} ${last_name}`.trim() || (company_name ?? ''),
            users,
            reasons,
          }
        },
      )
      return found.toSorted((one, other) => rankOf(one) - rankOf(other) || one.contact_id - other.contact_id)
    },
  )
}

/** Most reasons first, then by the first of them. */
function rankOf({ reasons: [first = 'name', ...more] }: { reasons: (typeof REASONS)[number][] }): number {
  return REASONS.indexOf(first) - REASONS.length * more.length
}

const { id, first_name, last_name, company_name, person_keys } = contacts
const FIELDS = {
  id,
  first_name,
  last_name,
  company_name,
  person_keys,
  users: linkedIds(contacts, contact_users),
}

/** What a call that makes a contact says of others that may be the same person. */
export const DUPLICATES = {
  query: z.object({
    duplicates: z
      .enum(['refuse'])
      .optional()
      .describe(
        '`refuse`: nothing is stored if a contact has the same e-mail or telephone. Needs `contacts:read`',
      ),
  }),
  replyHeaders: {
    [HEADER]: 'Contacts with the same e-mail or telephone, as `12, 88`; for keys with `contacts:read`',
  },
  errors: { 409: 'Possible duplicate of contact 12' },
}

/** The statement that finds other contacts with the `keys` of a new one; null if the caller may not know. Throws 400 and 403. */
export function selectOthers(c: Context<App>, keys: SQL): Statement<{ id: number }> | null {
  if (isRefused(c)) requireScope(c, READ)
  return hasScope(c.get('key'), READ)
    ? sqlStatement(sql`select candidate.value as id from ${candidates(keys)} limit ${MOST}`)
    : null
}

/**
 * What follows from the contacts that were found: a header, and the condition in the transaction that no other call has stored
 * one meanwhile. Throws 409 if the caller refuses duplicates.
 */
export function judgeOthers(c: Context<App>, keys: SQL, others: readonly { id: number }[] | null) {
  const [first] = others ?? []
  const refuses = isRefused(c)
  if (refuses && first) throw new ApiError(409, `Possible duplicate of contact ${first.id}`)
  const guard: SqlFragment | null = refuses
    ? fragmentOf(sql`not exists (select 1 ${havingKeys({ ...PLACES, keys })})`)
    : null
  const ids = unique((others ?? []).map(({ id }) => id))
  return { guard, headers: { [HEADER]: ids.join(', ') || undefined } }
}

const isRefused = (c: Context<App>) => readQuery(c, DUPLICATES.query).duplicates === 'refuse'

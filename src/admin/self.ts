/** `/admin/self`: who calls, and what the caller may do. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { database, runStatement } from '../db/client.ts'
import { sqlStatement } from '../db/statements.ts'
import { selectTimeZone } from '../db/time-zone.ts'
import { DEFAULT_TIME_ZONE } from '../fields/time-zone.ts'
import { dateTime, named } from '../fields/values.ts'
import { EVERYTHING_ADMIN } from '../http/caller/admin-scope.ts'
import type { FindPerson } from '../http/caller/auth.ts'
import { Router } from '../http/endpoint/router.ts'
import { recordBody } from '../http/reply/envelope.ts'
import { ADMINISTRATION } from './tag.ts'

const self = named('Self', 'The caller', {
  type: z.enum(['key', 'token', 'person']).describe('What the call is made with'),
  id: z
    .string()
    .nullable()
    .describe('Of the key, or of the person as the trail has it; null for `ADMIN_TOKEN`'),
  name: z.string().describe('Of the key; of a person the e-mail address'),
  scopes: z.array(z.string()).describe('What the caller may do; `admin:*` is every call under `/admin/`'),
  expires: dateTime().nullable().describe('Last moment, in UTC; null: never'),
  user_id: z
    .int()
    .nullable()
    .describe('The user behind it: of the key, or by the e-mail address of the person; null: none'),
  time_zone: z.string().describe('In which the agency reads times: the setting `time_zone`'),
})

const TOKEN = {
  type: 'token' as const,
  id: null,
  name: 'ADMIN_TOKEN',
  scopes: [EVERYTHING_ADMIN],
  expires: null,
  user_id: null,
}

export const selfRoutes = new Router(...ADMINISTRATION)

selfRoutes.get(
  '/admin/self',
  {
    summary: 'Read who calls',
    operationId: 'readSelf',
    scope: null,
    description: 'What the key, the token or the person of this call may do. Every key may ask.',
    reply: recordBody(self),
  },
  async (c) => {
    const [stored] = await runStatement(database(c.env), selectTimeZone())
    const time_zone = stored?.zone ?? DEFAULT_TIME_ZONE
    const key = c.get('key')
    if (!key) return { ...TOKEN, time_zone }
    const { id, name, scopes, expires, user_id = null } = key
    const type = c.get('isPerson') ? 'person' : 'key'
    return { type, id, name, scopes, expires, user_id, time_zone }
  },
)

/**
 * The scopes that the setting `console_roles` gives a person: those of their address and those of `*`. And the user of that
 * address. Only persons at the console wait for this.
 */
export const findPerson: FindPerson = async (env, email) => {
  const [person] = await runStatement(
    database(env),
    sqlStatement<{ scopes: string; user_id: number | null }>(sql`select
      (select json_group_array(distinct scopes.value)
        from settings, json_each(settings.value) as role, json_each(role.value) as scopes
        where settings.key = 'console_roles' and lower(role.key) in (${email}, '*')) as scopes,
      (select min(id) from users where lower(trim(email)) = ${email}) as user_id`),
  )
  return { scopes: JSON.parse(person?.scopes ?? '[]'), user_id: person?.user_id ?? null }
}

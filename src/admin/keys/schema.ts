/** Schemas and JSON of API keys. */
import { z } from 'zod'
import { ADMIN_SCOPES, WEBSITE_SCOPES } from '../../catalogue/scopes.ts'
import { dateTime, filledText, id, ids, list, named, text, unique } from '../../fields/values.ts'
import type { ApiKey, WebsiteAccess } from '../../http/context.ts'

const OTHERS = [...WEBSITE_SCOPES, ...ADMIN_SCOPES]
const SCOPE = new RegExp(`^((\\*|[a-z]+(-[a-z]+)*):(read|write)|${OTHERS.join('|')})$`)
const SCOPES = ['<resource>:read', '<resource>:write', '*:read', '*:write', ...OTHERS]
const MAX_ENTRIES = 100

const scope = z.string().regex(SCOPE, `must be ${SCOPES.slice(0, -1).join(', ')} or ${SCOPES.at(-1)}`)

const origin = text()
  .refine(
    (value) => originOf(value) !== null,
    'must be http://host[:port] or https://host[:port], without a path',
  )
  .overwrite((value) => originOf(value) ?? value)

const expires = dateTime().nullish().describe('Last moment, in UTC; null: never')

const user_id = id()
  .nullish()
  .describe(
    'The user behind it: `me` in filters, and the creator of records whose body names none; null: a program',
  )

const access = {
  origins: list(origin, { max: MAX_ENTRIES })
    .overwrite(unique)
    .nullish()
    .describe(
      'Publishable keys only: the origins of the pages that may call, such as `https://www.example.com`; null or `[]`: any',
    ),
  stores: ids({ max: MAX_ENTRIES })
    .nullish()
    .describe('Website keys only: the stores whose listings exist for the key; null or `[]`: all'),
}

export const keyInput = named('ApiKeyInput', 'A new API key', {
  name: filledText().describe('What the key is for'),
  scopes: list(scope, { min: 1, max: MAX_ENTRIES })
    .overwrite(unique)
    .describe(
      '`<resource>:read`, `<resource>:write`; `*` stands for every resource. `listings:public`, `enquiries:create` or ' +
        'both make a website key, which sees what the public may see, and writes enquiries. If it is not ' +
        'publishable, `enquiries:write` may stand beside them. `admin:…` lets a key administer; only `ADMIN_TOKEN` can ' +
        'make such a key',
    ),
  publishable: z
    .boolean()
    .nullish()
    .describe(
      'Website keys only: whether the key may stand in a page (the default), or is a secret of the website’s server',
    ),
  ...access,
  expires,
  user_id,
})

export const keyUpdate = named('ApiKeyUpdate', 'Changes of an API key', {
  name: filledText().optional().describe('What the key is for'),
  ...access,
  expires,
  user_id,
})

const key = z.object({
  id: z.string().describe('Id of the key, used to change and revoke it; not secret'),
  name: z.string().describe('What the key is for'),
  scopes: z.array(z.string()).describe('What it may do'),
  publishable: z.boolean().optional().describe('Whether it may stand in a page; only of website keys'),
  origins: z
    .array(z.string())
    .nullable()
    .optional()
    .describe('The origins that may call; null: any. Only of website keys'),
  stores: z
    .array(z.int())
    .nullable()
    .optional()
    .describe('The stores whose listings exist for it; null: all. Only of website keys'),
  expires: dateTime().nullable().describe('Last moment, in UTC; null: never'),
  user_id: z.int().nullable().describe('The user behind it; null: a program'),
  date_created: dateTime().describe('When it was made'),
  key: z.string().optional().describe('The key itself, if it is publishable'),
})

export const listedKey = key
  .extend({
    last_used: dateTime().nullable().describe('The hour in which it was last used, about; null: never'),
  })
  .meta({ id: 'ApiKey', description: 'An API key. Only of a publishable key is the key itself shown' })

export const newKey = key
  .extend({ key: z.string().describe('The key itself, to be sent with every call') })
  .meta({ id: 'NewApiKey', description: 'An API key that was just made' })

/** The JSON of a key. */
export function presentKey<K extends ApiKey>({
  website,
  ...key
}: K): Omit<K, 'website'> & { user_id: number | null } & Partial<WebsiteAccess> {
  return { ...key, user_id: key.user_id ?? null, ...website }
}

/** A name of labels, or an IPv6 address. The URL parser alone also takes `a.example;b` for a host. */
const HOST = /^([a-z\d_-]+(\.[a-z\d_-]+)*\.?|\[[a-f\d:]+\])$/

/** The origin that `text` names, as browsers send it; null if it is none, or more than one. */
function originOf(text: string): string | null {
  if (!/^https?:\/\/[^\s/?#\\@*]+$/i.test(text) || !URL.canParse(text)) return null
  const { hostname, origin } = new URL(text)
  return HOST.test(hostname) ? origin : null
}

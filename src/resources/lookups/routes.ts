/** The agency's offices, users, languages and places: ids that other resources refer to. */
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { database } from '../../db/client.ts'
import { fold } from '../../db/fold.ts'
import { languages, locations, stores, users } from '../../db/tables/agency.ts'
import { int } from '../../fields/values.ts'
import { lookup, lookupBody } from '../../http/envelope.ts'
import { idFilter, textFilter } from '../../http/filters.ts'
import { Router } from '../../http/router.ts'
import { publicUrl } from '../../http/urls.ts'

export const agencyRoutes = new Router(
  'Agency',
  'Offices, users, languages and places: the ids that listings and requests refer to.',
)

agencyRoutes.get(
  '/api/stores',
  {
    summary: 'Offices',
    reply: lookupBody(z.object({ id: z.int(), name: z.string(), watermark_url: z.string().nullable() })),
  },
  async (c) => {
    const rows = await database(c.env).select().from(stores).orderBy(stores.id)
    const url = publicUrl(c)
    return lookup(
      c,
      rows.map(({ id, name, watermark }) => ({ id, name, watermark_url: watermark && url(watermark) })),
    )
  },
)

agencyRoutes.get(
  '/api/users',
  {
    summary: 'Users',
    reply: lookupBody(
      z.object({ id: z.int(), name: z.string(), email: z.string().nullable(), store_id: z.int().nullable() }),
    ),
  },
  async (c) => lookup(c, await database(c.env).select().from(users).orderBy(users.id)),
)

agencyRoutes.get(
  '/api/languages',
  { summary: 'Languages', reply: lookupBody(z.object({ id: z.int(), code: z.string(), name: z.string() })) },
  async (c) => lookup(c, await database(c.env).select().from(languages).orderBy(languages.id)),
)

agencyRoutes.get(
  '/api/locations',
  {
    summary: 'Places',
    description: 'Regions (level 1), their municipalities or districts (2), and those’ neighbourhoods (3).',
    filters: z.object({
      level: int().min(1).max(3).nullish(),
      parent_id: idFilter(),
      search: textFilter().describe('Part of a Greek or English name; case and accents do not matter'),
    }),
    list: true,
    reply: lookupBody(
      z.object({
        id: z.int(),
        level: z.int(),
        parent_id: z.int().nullable(),
        name_el: z.string(),
        name_en: z.string(),
        full_name_el: z.string(),
        full_name_en: z.string(),
      }),
    ),
  },
  async (c, input) => {
    const { level, parent_id, search } = await input.filters()
    const rows = await database(c.env)
      .select()
      .from(locations)
      .where(
        and(
          level == null ? undefined : eq(locations.level, level),
          parent_id == null ? undefined : eq(locations.parent_id, parent_id),
          search ? contains(sql`${locations.search}`, search) : undefined,
        ),
      )
      .orderBy(locations.id)
    return lookup(
      c,
      rows.map(({ search: _, ...place }) => place),
    )
  },
)

/** `instr` takes `%` and `_` literally and a text of any length, which LIKE on D1 does not. */
function contains(column: SQL, search: string): SQL {
  return sql`instr(${column}, ${fold(search)}) > 0`
}

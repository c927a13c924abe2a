/** Import and export of the agency itself and of its lookup lists. */
import { asc, getTableName, gt, sql } from 'drizzle-orm'
import { z } from 'zod'
import { ALL_SUBCATEGORIES } from '../../catalogue/enums.ts'
import { upsertRows } from '../../db/bulk.ts'
import type { Database } from '../../db/client.ts'
import { fold } from '../../db/fold.ts'
import { idList } from '../../db/references.ts'
import * as agency from '../../db/tables/agency.ts'
import * as lookups from '../../db/tables/lookups.ts'
import { filledText, id, int, list, optionalText } from '../../fields/values.ts'
import { CUSTOM_FIELD_RESOURCES, CUSTOM_FIELD_TYPES } from '../../resources/custom-fields/definitions.ts'
import { markForPoints } from '../../resources/requests/match-store.ts'
import { finishMatching } from '../../resources/requests/matches.ts'
import { type Entity, entity } from '../entity.ts'

const name = filledText()

/** What each setting holds: a type, and the table that an id must be in. */
const SETTINGS = {
  listings_max_resize: { value: int().min(1).max(8192), table: null },
  watermark: { value: z.boolean(), table: null },
  default_language_id: { value: id(), table: 'languages' },
  default_request_status_id: { value: id(), table: 'request_statuses' },
  default_external_listing_status_id: { value: id(), table: 'external_listing_statuses' },
  default_contact_source_id: { value: id(), table: 'contact_sources' },
  default_user_id: { value: id(), table: 'users' },
  partner_commission_category_id: { value: id(), table: 'expense_categories' },
} as const

type SettingKey = keyof typeof SETTINGS

const settings = entity({
  name: 'settings',
  schema: z.object({
    key: z.enum(Object.keys(SETTINGS) as [SettingKey, ...SettingKey[]]),
    value: z.union([int(), z.boolean()]),
  }),
  references: ({ key, value }) => {
    const table = key && SETTINGS[key].table
    return table && typeof value === 'number' ? [{ field: 'value', table, ids: [value] }] : []
  },
  check: (draft) => {
    const { key, value } = draft.values
    if (!key || value === undefined || SETTINGS[key].value.safeParse(value).success) return
    draft.refuse('value', `Invalid value: not one for ${key}`)
  },
  store: (db, lines) => [upsertRows(db, agency.settings, lines, 'key')],
  page: (db, after) =>
    after > 0 ? Promise.resolve([]) : db.select().from(agency.settings).orderBy(agency.settings.key),
})

const languages = entity({
  name: 'languages',
  schema: z.object({ id: id(), code: name, name }),
  references: () => [],
  store: (db, lines) => [upsertRows(db, agency.languages, lines)],
  page: (db, after, limit) => pageOf(db, agency.languages, after, limit),
})

const stores = entity({
  name: 'stores',
  schema: z.object({ id: id(), name, watermark_url: optionalText(2000).nullish() }),
  references: () => [],
  load: async (db) => {
    const rows = await db.select().from(agency.stores)
    return new Map(rows.map((row) => [row.id, row.watermark]))
  },
  store: (db, lines, watermarks) => [
    upsertRows(
      db,
      agency.stores,
      lines.map(({ id, name, watermark_url }) => ({
        id,
        name,
        // A file that does not speak of watermarks leaves the uploaded one alone.
        watermark: watermark_url === undefined ? (watermarks.get(id) ?? null) : watermark_url,
      })),
    ),
  ],
  page: async (db, after, limit) => {
    const rows = await pageOf(db, agency.stores, after, limit)
    return rows.map(({ id, name, watermark }) => ({ id, name, watermark_url: watermark }))
  },
})

const users = entity({
  name: 'users',
  schema: z.object({ id: id(), name, email: optionalText().nullish(), store_id: id().nullish() }),
  references: ({ store_id }) => [{ field: 'store_id', table: 'stores', ids: idList(store_id) }],
  store: (db, lines) => [
    upsertRows(
      db,
      agency.users,
      lines.map(({ id, name, email = null, store_id = null }) => ({ id, name, email, store_id })),
    ),
  ],
  page: (db, after, limit) => pageOf(db, agency.users, after, limit),
})

const locations = entity({
  name: 'locations',
  schema: z.object({
    id: id(),
    level: int().min(1).max(3),
    parent_id: id().nullish(),
    name_el: name,
    name_en: name,
    full_name_el: name,
    full_name_en: name,
  }),
  references: ({ parent_id }) => [{ field: 'parent_id', table: 'locations', ids: idList(parent_id) }],
  load: async (db, values) => {
    const parents = values.map(({ parent_id }) => parent_id ?? 0)
    const rows = await db.all<{ id: number; level: number }>(sql`select id, level from locations
      where id in (select value from json_each(${JSON.stringify(parents)}))`)
    return new Map(rows.map((row) => [row.id, row.level]))
  },
  check: (draft, levels, earlier) => {
    const { id, level, parent_id = null } = draft.values
    if (!level || draft.isRefused('parent_id')) return
    if (id === parent_id) return draft.refuse('parent_id', 'Invalid parent_id: must be another location')
    if (level > 1 && parent_id === null) return draft.refuse('parent_id', 'Missing parent_id')
    const parent = earlier.findLast((line) => line.id === parent_id)?.level ?? levels.get(parent_id ?? 0) ?? 0
    if (parent !== level - 1) {
      const wanted = level === 1 ? 'null for level 1' : `a location of level ${level - 1}`
      draft.refuse('parent_id', `Invalid parent_id: must be ${wanted}`)
    }
  },
  store: (db, lines) => [
    upsertRows(
      db,
      agency.locations,
      lines.map(({ parent_id = null, ...place }) => ({
        ...place,
        parent_id,
        search: fold(`${place.name_el}\n${place.name_en}`),
      })),
    ),
  ],
  page: async (db, after, limit) => {
    const rows = await pageOf(db, agency.locations, after, limit)
    return rows.map(({ search, ...place }) => place)
  },
})

const specialLocations = entity({
  name: 'special_locations',
  schema: z.object({
    id: id(),
    name,
    latitude: z.number().min(-90).max(90),
    longitude: z.number().min(-180).max(180),
  }),
  references: () => [],
  store: (db, lines) => [markForPoints(db, lines), upsertRows(db, agency.special_locations, lines)],
  after: (db) => finishMatching(db),
  page: (db, after, limit) => pageOf(db, agency.special_locations, after, limit),
})

const nameLists = [
  lookups.listing_sources,
  lookups.listing_tags,
  lookups.external_listing_statuses,
  lookups.external_listing_sources,
  lookups.external_listing_tags,
  lookups.request_statuses,
  lookups.request_sources,
  lookups.request_tags,
  lookups.contact_sources,
  lookups.contact_tags,
  lookups.income_other_categories,
  lookups.expense_categories,
].map((table) =>
  entity({
    name: getTableName(table),
    schema: z.object({ id: id(), name }),
    references: () => [],
    store: (db, lines) => [upsertRows(db, table, lines)],
    page: (db, after, limit) => pageOf(db, table, after, limit),
  }),
)

const subtypes = entity({
  name: 'listing_subtypes',
  schema: z.object({
    id: id(),
    subcategory: z.enum(ALL_SUBCATEGORIES),
    translations: list(z.object({ language_id: id(), name }), { bytes: 500_000 }),
  }),
  references: ({ translations }) => [
    {
      field: 'translations.language_id',
      table: 'languages',
      ids: translations?.map(({ language_id }) => language_id) ?? [],
    },
  ],
  store: (db, lines) => [upsertRows(db, lookups.listing_subtypes, lines)],
  page: (db, after, limit) => pageOf(db, lookups.listing_subtypes, after, limit),
})

/** `#rrggbb`, also with three, four or eight digits. */
export const color = z.string().regex(/^#[0-9a-f]{3,8}$/i, 'must be a hex colour, #rrggbb')

const contractStatuses = entity({
  name: 'contract_statuses',
  schema: z.object({
    id: id(),
    name,
    is_completed: z.boolean(),
    is_cancelled: z.boolean(),
    bg_color: color,
    text_color: color,
  }),
  references: () => [],
  store: (db, lines) => [upsertRows(db, lookups.contract_statuses, lines)],
  page: (db, after, limit) => pageOf(db, lookups.contract_statuses, after, limit),
})

const customFields = entity({
  name: 'custom_fields',
  schema: z.object({
    id: id(),
    resource: z.enum(CUSTOM_FIELD_RESOURCES),
    name,
    type: z.enum(CUSTOM_FIELD_TYPES),
    options: list(z.object({ id: id(), name }), { bytes: 500_000 }).nullish(),
  }),
  references: () => [],
  check: (draft) => {
    const { type, options, resource } = draft.values
    if (type?.startsWith('select') && !options?.length) draft.refuse('options', 'Missing options')
    if (type === 'phone' && resource !== 'contacts')
      draft.refuse('type', 'Invalid type: phone is for contacts only')
  },
  store: (db, lines) => [
    upsertRows(
      db,
      agency.custom_fields,
      lines.map(({ options = null, ...field }) => ({ ...field, options })),
    ),
  ],
  page: async (db, after, limit) => {
    const rows = await pageOf(db, agency.custom_fields, after, limit)
    return rows.map(({ options, ...field }) => (options ? { ...field, options } : field))
  },
})

/** In the order in which a file must list them. Settings come last of all, as they refer to the others. */
export const agencyEntities: Entity[] = [
  languages,
  stores,
  users,
  locations,
  specialLocations,
  ...nameLists,
  subtypes,
  contractStatuses,
  customFields,
  settings,
]

type IdTable = typeof agency.languages

/** The next rows of a table above `after`, by id. */
function pageOf<T extends { $inferSelect: { id: number } }>(
  db: Database,
  table: T,
  after: number,
  limit: number,
): Promise<T['$inferSelect'][]> {
  const { id: column } = table as unknown as IdTable
  return db
    .select()
    .from(table as unknown as IdTable)
    .where(gt(column, after))
    .orderBy(asc(column))
    .limit(limit)
}

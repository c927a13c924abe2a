/** Import and export of the agency itself and of its lookup lists. */
import { getTableName } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import {
  contractStatus,
  language,
  lookupItem,
  specialLocation,
  store,
  user,
} from '../../../catalogue/agency.ts'
import { MAIL_LANGUAGES } from '../../../catalogue/enquiry.ts'
import { isRoleScope } from '../../../catalogue/scopes.ts'
import { inIdOrder, upsertRows } from '../../../db/bulk.ts'
import { fieldReferences } from '../../../db/references.ts'
import { type Statement, selectRows, textStatement } from '../../../db/statements.ts'
import * as agency from '../../../db/tables/agency.ts'
import * as lookups from '../../../db/tables/lookups.ts'
import { changedBy, onlyChangedBy } from '../../../fields/changed-by.ts'
import { inputs, present, toRow } from '../../../fields/derive.ts'
import { isCurrency } from '../../../fields/money.ts'
import { isTimeZone } from '../../../fields/time-zone.ts'
import { date, EMAIL, EMAIL_TEXT, id, int, list, text } from '../../../fields/values.ts'
import { matchUnmatched } from '../../../resources/matching/run.ts'
import { markRequestsNear } from '../../../resources/matching/store.ts'
import { defineEntity, type Entity, storeRows } from '../entity.ts'
import { customFields } from './custom-fields.ts'
import { locations, subtypes } from './definitions.ts'

/** How long anything may be kept at most, in days. */
const MAX_DAYS = 36_500

/** What persons at the console may do, by e-mail address; `*` stands for everybody who may sign in. */
const consoleRoles = z.record(
  z.union([z.literal('*'), z.email().max(255)]),
  list(text().refine(isRoleScope, 'must be a scope of an ordinary key or of administration'), { max: 100 }),
)

/** Maximum number of persons in `console_roles`. */
const MAX_ROLES = 500

/** The type of each setting, and the table that an id must be in. */
const SETTINGS = {
  listings_max_resize: { value: int().min(1).max(8192), table: null },
  watermark: { value: z.boolean(), table: null },
  default_language_id: { value: id(), table: 'languages' },
  default_request_status_id: { value: id(), table: 'request_statuses' },
  default_external_listing_status_id: { value: id(), table: 'external_listing_statuses' },
  default_contact_source_id: { value: id(), table: 'contact_sources' },
  default_user_id: { value: id(), table: 'users' },
  default_contract_status_id: { value: id(), table: 'contract_statuses' },
  default_currency: { value: text(3).refine(isCurrency), table: null },
  partner_commission_category_id: { value: id(), table: 'expense_categories' },
  console_roles: {
    value: onlyChangedBy(
      'token',
      consoleRoles.refine((roles) => Object.keys(roles).length <= MAX_ROLES),
    ),
    table: null,
  },
  trail_days: { value: onlyChangedBy('token', int().min(1).max(MAX_DAYS)), table: null },
  enquiry_spam_days: { value: int().min(1).max(MAX_DAYS), table: null },
  enquiry_closed_days: { value: int().min(1).max(MAX_DAYS), table: null },
  enquiry_email: {
    value: onlyChangedBy(
      'admin:settings',
      text(EMAIL_TEXT, (sent) => sent.trim())
        .refine(EMAIL.matches)
        .nullable(),
    ),
    table: null,
  },
  mail_language: { value: z.enum(MAIL_LANGUAGES), table: null },
  time_zone: { value: text().refine(isTimeZone), table: null },
  books_closed_until: { value: date().nullable(), table: null },
} as const

type SettingKey = keyof typeof SETTINGS

/** The schema of the value of each setting. */
const VALUES = new Map<string, z.ZodType>(Object.entries(SETTINGS).map(([key, { value }]) => [key, value]))

type SettingRow = typeof agency.settings.$inferSelect

/** A setting to be stored; null unsets it. */
type SettingLine = { key: string; value: SettingRow['value'] | null }

/** `default_language_id` (of `languages`), … */
const SETTINGS_WITH_IDS = Object.entries(SETTINGS)
  .flatMap(([key, { table }]) => (table ? `\`${key}\` (of \`${table}\`)` : []))
  .join(', ')

const settingLine = z.object({
  key: z.enum(Object.keys(SETTINGS) as [SettingKey, ...SettingKey[]]).describe('Name of the setting'),
  value: z
    .union([int(), z.boolean(), text(), z.record(z.string(), z.unknown())])
    .nullable()
    .describe(`As the setting needs it; null unsets it. Ids: ${SETTINGS_WITH_IDS}`),
})

/** The settings that name an entry of a lookup, by its table. */
export function settingsNaming(lookup: string): string[] {
  return Object.entries(SETTINGS).flatMap(([key, { table }]) => (table === lookup ? key : []))
}

/** All settings with their values, of which some may be absent. */
export const settingsObject = z
  .object(Object.fromEntries([...VALUES].map(([key, value]) => [key, value.nullish().describe(`Setting`)])))
  .meta({ id: 'Settings', description: 'Settings of the agency by their names; null unsets one' })

export const settings: Entity = defineEntity<typeof settingLine, SettingLine>({
  name: 'settings',
  key: 'key',
  schema: settingLine,
  read: (where, limit) => selectRows(agency.settings, inIdOrder(agency.settings.key, where, limit)),
  present: (row) => ({ ...row }),
  references: ({ key, value }) => {
    const table = key && SETTINGS[key].table
    return table && typeof value === 'number' ? [{ field: 'value', table, ids: [value] }] : []
  },
  changedBy: (name, { key }) => (name === 'value' ? changedBy(VALUES.get(key)) : null),
  check: (draft) => {
    const { key, value } = draft.values
    if (!key) return
    if (value === null) return
    const parsed = SETTINGS[key].value.safeParse(value)
    if (parsed.success) draft.values.value = parsed.data
    else draft.refuse('value', value === undefined ? 'Missing value' : `Invalid value: not one for ${key}`)
  },
  resolve: (values) => values,
  // What it names may be deleted meanwhile.
  usesDefinitions: true,
  store: (entries) => {
    const rows = entries.map(({ row }) => row)
    return [
      ...upsertRows(agency.settings, rows.filter(isSet), 'key'),
      ...rows
        .filter((row) => !isSet(row))
        .map(({ key }) => textStatement('delete from settings where key = ?', [key])),
    ]
  },
})

const isSet = (row: SettingLine): row is SettingRow => row.value !== null

const languages = lookup(agency.languages, z.object(inputs(language)))

type StoreRow = typeof agency.stores.$inferSelect

const stores = defineEntity({
  name: 'stores',
  schema: z.object(inputs(store)),
  read: (where, limit) => selectRows(agency.stores, inIdOrder(agency.stores.id, where, limit)),
  present: (row: StoreRow) => present(store, row),
  // A line without `watermark_url` keeps the uploaded watermark.
  resolve: (values, _, { stored }) => ({
    ...toRow(store, values),
    ...(values.watermark_url === undefined ? { watermark: stored?.watermark ?? null } : {}),
  }),
  store: storeRows(agency.stores),
})

const users = defineEntity({
  name: 'users',
  schema: z.object(inputs(user)),
  read: (where, limit) => selectRows(agency.users, inIdOrder(agency.users.id, where, limit)),
  present: (row: typeof agency.users.$inferSelect) => row,
  references: (values) => fieldReferences(user, values),
  resolve: (values) => toRow(user, values),
  store: storeRows(agency.users),
})

const points = lookup(agency.special_locations, z.object(inputs(specialLocation)))

/** A moved special location changes what is near it, so the requests that name it are matched again. */
const specialLocations: Entity = {
  ...points,
  store: (entries, context, kept) => [
    markRequestsNear(entries.map(({ row }) => row)),
    ...points.store(entries, context, kept),
  ],
  after: (db) => matchUnmatched(db),
}

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
].map((table) => lookup(table, z.object(inputs(lookupItem))))

const contractStatuses = lookup(lookups.contract_statuses, z.object(inputs(contractStatus)))

/** In the order in which a file must list them. Settings come last because they refer to the others. */
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

/** An entity whose lines are the rows of its table. */
function lookup(table: SQLiteTable & { id: SQLiteColumn }, schema: z.ZodObject): Entity {
  return defineEntity<z.ZodObject, { id: number }>({
    name: getTableName(table),
    schema,
    read: (where, limit) => selectRows(table, inIdOrder(table.id, where, limit)) as Statement<{ id: number }>,
    present: (row) => ({ ...row }),
    resolve: (values) => values as { id: number },
    store: storeRows(table),
  })
}

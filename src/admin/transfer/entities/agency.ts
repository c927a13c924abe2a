/** Import and export of the agency itself, of its lookup lists, and of the knowledge base. */

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
import { category } from '../../../catalogue/knowledge-base.ts'
import { isRoleScope } from '../../../catalogue/scopes.ts'
import { SETTING_LIST, SETTINGS, type SettingName } from '../../../catalogue/settings.ts'
import { inIdOrder, upsertRows } from '../../../db/bulk.ts'
import type { TableWithId } from '../../../db/page.ts'
import { fieldReferences } from '../../../db/references.ts'
import { selectRows, textStatement } from '../../../db/statements.ts'
import * as agency from '../../../db/tables/agency.ts'
import { knowledge_base_categories } from '../../../db/tables/knowledge-base.ts'
import { contract_statuses } from '../../../db/tables/lookups.ts'
import { changedBy, onlyChangedBy } from '../../../fields/changed-by.ts'
import { inputs, present, toRow } from '../../../fields/derive.ts'
import { isCurrency } from '../../../fields/money.ts'
import { isTimeZone } from '../../../fields/time-zone.ts'
import { date, EMAIL, EMAIL_TEXT, id, int, list, named, text } from '../../../fields/values.ts'
import { articles as plain } from '../../../resources/knowledge-base/resource.ts'
import { NAME_TABLES } from '../../../resources/lookups/names.ts'
import { matchUnmatched } from '../../../resources/matching/run.ts'
import { markRequestsNear } from '../../../resources/matching/store.ts'
import { defineEntity, type Entity, rowsOf } from '../entity.ts'
import { entityOf } from '../plain.ts'
import { removalFrom } from '../uses.ts'
import { customFields, locations, subtypes } from './definitions.ts'

/** How long anything may be kept at most, in days. */
const MAX_DAYS = 36_500

/** What persons at the console may do, by e-mail address; `*` stands for everybody who may sign in. */
const consoleRoles = z.record(
  z.union([z.literal('*'), z.email().max(255)]),
  list(text().refine(isRoleScope, 'must be a scope of an ordinary key or of administration'), { max: 100 }),
)

/** Maximum number of persons in `console_roles`. */
const MAX_ROLES = 500

/** The schema of the value of each setting. */
const VALUES = {
  listings_max_resize: int().min(1).max(8192),
  watermark: z.boolean(),
  default_language_id: id(),
  default_request_status_id: id(),
  default_external_listing_status_id: id(),
  default_contact_source_id: id(),
  default_user_id: id(),
  default_contract_status_id: id(),
  default_currency: text(3).refine(isCurrency),
  partner_commission_category_id: id(),
  console_roles: onlyChangedBy(
    'token',
    consoleRoles.refine((roles) => Object.keys(roles).length <= MAX_ROLES),
  ),
  trail_days: onlyChangedBy('token', int().min(1).max(MAX_DAYS)),
  enquiry_spam_days: int().min(1).max(MAX_DAYS),
  enquiry_closed_days: int().min(1).max(MAX_DAYS),
  enquiry_email: onlyChangedBy(
    'admin:settings',
    text(EMAIL_TEXT, (sent) => sent.trim())
      .refine(EMAIL.matches)
      .nullable(),
  ),
  mail_language: z.enum(MAIL_LANGUAGES),
  appointment_mails: onlyChangedBy('admin:settings', z.boolean()),
  time_zone: text().refine(isTimeZone),
  books_closed_until: date().nullable(),
} satisfies Readonly<Record<SettingName, z.ZodType>>

type SettingRow = typeof agency.settings.$inferSelect

/** A setting to be stored; null unsets it. */
type SettingLine = { key: string; value: SettingRow['value'] | null }

/** `default_language_id` (of `languages`), … */
const SETTINGS_WITH_IDS = SETTING_LIST.flatMap(([key, { to }]) =>
  to ? `\`${key}\` (of \`${to}\`)` : [],
).join(', ')

const settingLine = z.object({
  key: z.enum(Object.keys(SETTINGS) as [SettingName, ...SettingName[]]).describe('Name of the setting'),
  value: z
    .union([int(), z.boolean(), text(), z.record(z.string(), z.unknown())])
    .nullable()
    .describe(`As the setting needs it; null unsets it. Ids: ${SETTINGS_WITH_IDS}`),
})

/** All settings with their values, of which some may be absent. */
export const settingsObject = named(
  'Settings',
  'Settings of the agency by their names; null unsets one',
  Object.fromEntries(
    Object.entries(VALUES).map(([key, value]) => [key, value.nullish().describe(`Setting`)]),
  ),
)

export const settings: Entity = defineEntity<typeof settingLine, SettingLine>({
  name: 'settings',
  key: 'key',
  schema: settingLine,
  read: (where, limit) => selectRows(agency.settings, inIdOrder(agency.settings.key, where, limit)),
  present: (row) => ({ ...row }),
  references: ({ key, value }) => {
    const named = key && SETTINGS[key]
    return named && 'to' in named && typeof value === 'number'
      ? [{ field: 'value', table: named.to, ids: [value] }]
      : []
  },
  changedBy: (name, { key }) => (name === 'value' ? changedBy(VALUES[key as SettingName]) : null),
  check: (draft) => {
    const { key, value } = draft.values
    if (!key) return
    if (value === null) return
    const parsed = VALUES[key].safeParse(value)
    if (parsed.success) draft.values.value = parsed.data
    else draft.refuse('value', value === undefined ? 'Missing value' : `Invalid value: not one for ${key}`)
  },
  resolve: (values) => values,
  isNone: (row) => !isSet(row),
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
  ...rowsOf(agency.stores, z.object(inputs(store))),
  present: (row: StoreRow) => present(store, row),
  // A line without `watermark_url` keeps the uploaded watermark.
  resolve: (values, _, { stored }) => ({
    ...toRow(store, values),
    ...(values.watermark_url === undefined ? { watermark: stored?.watermark ?? null } : {}),
  }),
})

const users = defineEntity({
  ...rowsOf(agency.users, z.object(inputs(user))),
  present: (row: typeof agency.users.$inferSelect) => row,
  references: (values) => fieldReferences(user, values),
  resolve: (values) => toRow(user, values),
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

const nameLists = NAME_TABLES.map((table) => lookup(table, z.object(inputs(lookupItem))))

const contractStatuses = lookup(contract_statuses, z.object(inputs(contractStatus)))

/** In the order in which a file must list them. */
const definitions: Entity[] = [
  languages,
  stores,
  users,
  locations,
  specialLocations,
  ...nameLists,
  subtypes,
  contractStatuses,
  customFields,
].map(removable)

/** Settings come last because they refer to the others. */
export const agencyEntities: Entity[] = [...definitions, settings]

/** An entity of which lines of an export remove records. */
function removable(entity: Entity): Entity {
  return { ...entity, remove: removalFrom(entity) }
}

/** An entity whose lines are the rows of its table. */
function lookup(table: TableWithId, schema: z.ZodObject): Entity {
  return { ...rowsOf(table, schema), present: (row) => ({ ...row }), resolve: (values) => values }
}

const categories = defineEntity({
  ...rowsOf(knowledge_base_categories, z.object(inputs(category))),
  present: (row: typeof knowledge_base_categories.$inferSelect) => present(category, row),
  resolve: (values) => ({ ...toRow(category, values), version: 1, icon: values.icon ?? '' }),
})

const plainArticles = entityOf(plain)
const { created_by, date_created, date_updated, views, files, ...leading } = plainArticles.schema.shape

const articles: Entity = {
  ...plainArticles,
  // In the order in which problems are reported.
  schema: z.object({ ...leading, views, created_by, date_created, date_updated, files }),
  // Views and files keep their stored values, in replace mode too, unless the line has others. After a merge, a value is missing
  // only if the line cleared it.
  resolve: (values, context, line, now) => {
    const { views = 0, files = [] } = line.current ? {} : (line.stored ?? {})
    const row = plainArticles.resolve({ ...values, files: values.files ?? files }, context, line, now)
    return { ...row, views: values.views ?? views }
  },
}

export const knowledgeBaseEntities: Entity[] = [categories, articles].map(removable)

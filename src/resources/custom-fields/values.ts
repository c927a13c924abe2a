/**
 * Values of custom fields, by the id of the field.
 *
 *     const { facts } = await batch(db, { facts: selectFieldFacts('contacts', [body.custom_fields]), … })
 *     const sent = checkCustomValues(draft, 'custom_fields', body.custom_fields, readFieldFacts(facts))
 *     const stored = mergeCustomValues(current.custom_fields, sent)
 *
 * Null, an empty text and an empty array clear a field. Texts are stored as sent, including HTML.
 */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { CustomFieldResource } from '../../catalogue/custom-field.ts'
import type { CustomFieldType } from '../../catalogue/office-enums.ts'
import { isOneOf } from '../../db/conditions.ts'
import { DEFINITIONS, definitionsUnchanged } from '../../db/definitions.ts'
import { isNotDeleted, NOT_DELETED, refersTo, staysFound } from '../../db/references.ts'
import { allOf } from '../../db/rows.ts'
import { type SqlFragment, type Statement, sqlStatement } from '../../db/statements.ts'
import { date, dateTime, id, ids, jsonBytes, LONG_TEXT, list, SHORT_TEXT, text } from '../../fields/values.ts'

/** Values by field id. Null clears one. */
export type CustomValues = Record<string, unknown>

/** The input schema: values by field id. `checkCustomValues` checks them against their definitions. */
export const customValues = () =>
  z
    .record(z.string(), z.unknown())
    .refine((sent) => Object.keys(sent).length <= MAX_FIELDS, `must have at most ${MAX_FIELDS} entries`)

interface Definition {
  type: CustomFieldType
  /** Ids of the options, for select types. */
  options: number[]
}

/** The definitions of the fields in bodies, and the existing records among the ids in their values. */
export interface CustomFieldFacts {
  definitions: Map<string, Definition>
  users: Set<number>
  /** Existing contacts; deleted ones only if they were requested. */
  contacts: Set<number>
  version: number
}

interface FactsRow {
  version: number
  definitions: string
  users: string
  contacts: string
}

/** Maximum length of a URL, in characters. */
const MAX_URL = 2000
/** Maximum entries of a `_multi` value. */
const MAX_ENTRIES = 100
const MAX_FIELDS = 1000
/** Maximum bytes of all values of one record, as JSON: they share its row. */
const MAX_BYTES = 500_000

/**
 * The statement that reads the facts about the values of bodies; `readFieldFacts` takes its result. Only the
 * definitions say which values are ids, and the same statement reads them. So every integer is looked up as if it were
 * an id.
 * @param contacts which contacts may be named: import accepts deleted ones (`any`), as an export contains them
 */
export function selectFieldFacts(
  resource: CustomFieldResource,
  sent: (CustomValues | null | undefined)[],
  contacts: 'living' | 'any' = 'living',
): Statement<FactsRow> {
  // More fields and longer lists are refused anyway, and a parameter of D1 has at most 2 MB.
  const entries = sent.flatMap((entry) => Object.entries(entry ?? {}).slice(0, MAX_FIELDS))
  const values = entries.map(([, value]) => [value].flat()).filter((list) => list.length <= MAX_ENTRIES)
  const fields = entries.flatMap(([key]) => (isFieldId(key) ? [Number(key)] : []))
  const integers = values.flat().filter((value): value is number => Number.isSafeInteger(value))
  const isNamed = isOneOf(sql`id`, integers)
  return sqlStatement<FactsRow>(sql`select
    ${sql.raw(DEFINITIONS)} as version,
    (select json_group_array(json_object('id', id, 'type', type, 'options',
        json((select json_group_array(value ->> 'id') from json_each(coalesce(options, '[]'))))))
      from custom_fields
      where resource = ${resource} and ${isOneOf(sql`id`, fields)}) as definitions,
    (select json_group_array(id) from users where ${isNamed}) as users,
    (select json_group_array(id) from contacts
      where ${isNamed}${contacts === 'living' ? sql` and ${isNotDeleted}` : sql``}) as contacts`)
}

/** Reads the result of `selectFieldFacts`. */
export function readFieldFacts([row]: FactsRow[]): CustomFieldFacts {
  const definitions = JSON.parse(row?.definitions ?? '[]') as {
    id: number
    type: CustomFieldType
    options: number[]
  }[]
  return {
    version: row?.version ?? 0,
    definitions: new Map(definitions.map(({ id, type, options }) => [String(id), { type, options }])),
    users: new Set<number>(JSON.parse(row?.users ?? '[]')),
    contacts: new Set<number>(JSON.parse(row?.contacts ?? '[]')),
  }
}

/**
 * Checks values against their definitions and returns the valid ones, with null for cleared fields. Others are refused
 * in `draft`.
 * @param field name of the key in the body, for the messages
 * @param current the stored values: what they name can be sent back, although it is deleted since
 * @param contacts `awaited` leaves unknown contacts to `unknownContacts`, as an import may contain them further down
 */
export function checkCustomValues(
  draft: { refuse: (field: string, message: string) => void },
  field: string,
  sent: CustomValues,
  facts: CustomFieldFacts,
  current: CustomValues = {},
  contacts: 'checked' | 'awaited' = 'checked',
): CustomValues {
  const values: CustomValues = {}
  const entries = Object.entries(sent)
  if (entries.length > MAX_FIELDS) {
    draft.refuse(field, `Invalid ${field}: must have at most ${MAX_FIELDS} entries`)
    return values
  }
  for (const [key, value] of entries) {
    const definition = facts.definitions.get(key)
    const name = `${field}.${key}`
    if (!definition) {
      draft.refuse(field, `Unknown ${field} ${key}`)
    } else if (isCleared(value)) {
      values[key] = null
    } else {
      const { schema, must } = KINDS[definition.type](definition.options)
      const result = schema.safeParse(value)
      if (result.success) values[key] = result.data
      else draft.refuse(name, `Invalid ${name}: must be ${must}`)
      const known = knownIds(definition.type, facts, contacts)
      const namedIds: unknown[] = result.success && known ? [result.data].flat() : []
      for (const id of namedIds.map(Number)) {
        if (known?.has(id) || refersTo(current, { field: key, id })) continue
        draft.refuse(name, `Unknown ${name} ${id}`)
      }
    }
  }
  checkSize(draft, field, {}, values)
  return values
}

/**
 * The guard that holds while the definitions in `facts` are unchanged and none of their contacts is deleted; null if there
 * are none. An integer that happens to be the id of a contact costs another attempt at most.
 */
export function staysDefined({ definitions, version, contacts }: CustomFieldFacts): SqlFragment | null {
  if (definitions.size === 0) return null
  const named = { field: '', table: 'contacts', ids: [...contacts], where: NOT_DELETED }
  return allOf(definitionsUnchanged(version), staysFound([named], []))
}

/** Refuses in `draft` if the values become too many or too large once `sent` is merged into `current`. */
export function checkSize(
  draft: { refuse: (field: string, message: string) => void },
  field: string,
  current: CustomValues,
  sent: CustomValues,
): void {
  const merged = mergeCustomValues(current, sent)
  if (Object.keys(merged).length > MAX_FIELDS) {
    draft.refuse(field, `Invalid ${field}: must have at most ${MAX_FIELDS} entries`)
  } else if (jsonBytes(merged) > MAX_BYTES) {
    draft.refuse(field, `Invalid ${field}: must be at most ${MAX_BYTES} bytes in all`)
  }
}

/** The contacts named in checked `values` that do not exist, with the names of their fields. */
export function unknownContacts(field: string, values: CustomValues, facts: CustomFieldFacts) {
  return Object.entries(values).flatMap(([key, value]) => {
    const type = facts.definitions.get(key)?.type
    if (value === null || (type !== 'contact' && type !== 'contact_multi')) return []
    const unknown = [value].flat().filter((id) => !facts.contacts.has(Number(id)))
    return unknown.map((id) => ({ field: `${field}.${key}`, id: Number(id) }))
  })
}

/** Merges `sent` into `current`. A null value clears its key, and null for `sent` clears all. */
export function mergeCustomValues(current: CustomValues | undefined, sent: CustomValues | null) {
  const merged = sent === null ? {} : { ...current, ...sent }
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null))
}

/** The schema of a value, and its description for error messages. */
interface Kind {
  schema: z.ZodType
  must: string
}

const kind = (schema: z.ZodType, must: string) => (): Kind => ({ schema, must })

const textOf = (max: number) => kind(text(max), `text of at most ${max} characters`)

const url = text(MAX_URL).refine((value) => /^https?:\/\/\S+$/i.test(value) && URL.canParse(value))

const numeric = kind(z.number(), 'a number')
const link = kind(url, `an http or https URL of at most ${MAX_URL} characters`)
const links = kind(
  list(url, { max: MAX_ENTRIES }),
  `an array of at most ${MAX_ENTRIES} http or https URLs of at most ${MAX_URL} characters`,
)
const person = kind(id(), 'an id')
const people = kind(ids({ max: MAX_ENTRIES }), `an array of at most ${MAX_ENTRIES} ids`)

const KINDS: Record<CustomFieldType, (options: number[]) => Kind> = {
  text: textOf(SHORT_TEXT),
  textarea: textOf(2500),
  wysiwyg: textOf(LONG_TEXT),
  number: numeric,
  formatted_number: numeric,
  currency: numeric,
  select: (options) => ({
    schema: id().refine((value) => options.includes(value)),
    must: `one of ${options.join(', ')}`,
  }),
  select_multi: (options) => ({
    schema: ids().refine((values) => values.every((value) => options.includes(value))),
    must: `an array of any of ${options.join(', ')}`,
  }),
  checkbox: kind(z.boolean(), 'true or false'),
  file: link,
  image: link,
  url: link,
  file_multi: links,
  image_multi: links,
  address: textOf(SHORT_TEXT),
  date: kind(date(), 'a date, YYYY-MM-DD'),
  datetime: kind(dateTime(), 'a date-time, YYYY-MM-DD HH:MM:SS'),
  user: person,
  user_multi: people,
  contact: person,
  contact_multi: people,
  phone: textOf(SHORT_TEXT),
}

/** The ids that a value of `type` may contain; null if it contains none or they are not checked. */
function knownIds(type: CustomFieldType, facts: CustomFieldFacts, contacts: 'checked' | 'awaited') {
  if (type === 'user' || type === 'user_multi') return facts.users
  if (type === 'contact' || type === 'contact_multi') return contacts === 'checked' ? facts.contacts : null
  return null
}

function isCleared(value: unknown): boolean {
  return value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function isFieldId(key: string): boolean {
  return /^[1-9]\d{0,14}$/.test(key)
}

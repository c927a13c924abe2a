/** What an enquiry seeks, in words of both languages: for mails, and for lists with `fields=all`. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Names } from '../../catalogue/enumeration.ts'
import { ENUMERATIONS } from '../../catalogue/enumerations.ts'
import { FEATURES } from '../../catalogue/features.ts'
import type { SCALARS } from '../../catalogue/request.ts'
import { JsonField } from '../../db/statements.ts'
import { WITH_ALL } from '../../fields/derive.ts'
import { named } from '../../fields/values.ts'
import type { PUBLIC_CRITERIA } from '../requests/schema.ts'

/** Values of a list that are named; the rest are counted. */
const MAX_NAMED = 20

type WithoutSide<Name> = Name extends `${infer Range}_min` | `${infer Range}_max` ? Range : Name

/** Everything that `search` may say. Both sides of a range are one. */
type Criterion =
  | 'availability'
  | 'category'
  | 'locations'
  | 'subcategories'
  | 'subtypes'
  | WithoutSide<keyof typeof SCALARS | keyof typeof PUBLIC_CRITERIA>

const LABELS: Record<Criterion, Names> = {
  availability: ['Διάθεση', 'Offered'],
  category: ['Κατηγορία', 'Category'],
  subcategories: ['Είδος ακινήτου', 'Kind of property'],
  subtypes: ['Τύπος ακινήτου', 'Type of property'],
  locations: ['Περιοχή', 'Area'],
  price: ['Τιμή', 'Price'],
  price_per_sqm: ['Τιμή ανά m²', 'Price per m²'],
  size: ['Εμβαδόν (m²)', 'Size (m²)'],
  rooms: ['Υπνοδωμάτια', 'Bedrooms'],
  bathrooms_total: ['Μπάνια', 'Bathrooms'],
  floor: ['Όροφος', 'Floor'],
  has_elevator: ['Ανελκυστήρας', 'Elevator'],
  elevator_min_floor: ['Ανελκυστήρας από όροφο', 'Elevator from floor'],
  year_built: ['Έτος κατασκευής', 'Year built'],
  property_condition: ['Κατάσταση ακινήτου', 'Condition'],
  construction_type: ['Είδος κατασκευής', 'Construction'],
  is_furnished: ['Επιπλωμένο', 'Furnished'],
  features: ['Χαρακτηριστικά', 'Features'],
  view: ['Θέα', 'View'],
  positioning: ['Θέση', 'Position'],
  orientation: ['Προσανατολισμός', 'Orientation'],
  heating_type: ['Θέρμανση', 'Heating'],
  heating_source: ['Μέσο θέρμανσης', 'Heating source'],
  parking_total: ['Θέσεις στάθμευσης', 'Parking spaces'],
  garden: ['Κήπος', 'Garden'],
  garden_size: ['Εμβαδόν κήπου (m²)', 'Garden (m²)'],
  land_size: ['Εμβαδόν οικοπέδου (m²)', 'Plot (m²)'],
  build_ratio: ['Συντελεστής δόμησης', 'Floor area ratio'],
  coverage_ratio: ['Συντελεστής κάλυψης (%)', 'Coverage (%)'],
  yield: ['Απόδοση (%)', 'Yield (%)'],
  shortterm_unit: ['Χρέωση', 'Charged'],
  shortterm_max_guests: ['Επισκέπτες', 'Guests'],
}

const YES: Names = ['ναι', 'yes']
const NO: Names = ['όχι', 'no']
const FROM: Names = ['από', 'from']
const UNTIL: Names = ['έως', 'up to']

/** The names of values by the field and the value: `category land`. */
const VALUES: ReadonlyMap<string, Names> = new Map([
  ...ENUMERATIONS.flatMap(({ name, values }) =>
    values.map(({ value, name_el, name_en }): [string, Names] => [
      `${name === 'subcategory' ? 'subcategories' : name} ${value}`,
      [name_el, name_en],
    ]),
  ),
  ...FEATURES.map(({ group, input, name_el, name_en }): [string, Names] => [
    `${group} ${input}`,
    [name_el, name_en],
  ]),
  ['is_furnished yes', YES],
  ['is_furnished no', NO],
])

/** The names of the records that an enquiry refers to by their ids. */
type StoredNames = Record<'locations' | 'subtypes', Record<string, Names> | null>

const sought = (name: string) =>
  sql.raw(`(select value from json_each(enquiries.sought, '$.${name}') limit ${MAX_NAMED})`)
const inLanguage = (code: string) =>
  sql.raw(`coalesce((select name.value ->> 'name' from json_each(translations) name
    join languages on languages.id = name.value ->> 'language_id' where languages.code = '${code}'),
    translations ->> '$[0].name', '#' || listing_subtypes.id)`)

/** The names of the places and subtypes that an enquiry seeks, as a field of its select. */
export const SOUGHT_NAMES = new JsonField<StoredNames>(
  sql`(select json_object(
    'locations', (select json_group_object(id, json_array(full_name_el, full_name_en))
      from locations where id in ${sought('locations')}),
    'subtypes', (select json_group_object(id, json_array(${inLanguage('el')}, ${inLanguage('en')}))
      from listing_subtypes where id in ${sought('subtypes')})))`,
  JSON.parse,
)

export const criteria = z
  .array(
    named('CriterionInWords', 'Something that is sought, as people say it', {
      name: z.string().describe('Key of `search`, without `_min` and `_max`'),
      name_el: z.string().describe('What it is called in Greek'),
      name_en: z.string().describe('What it is called in English'),
      value_el: z.string().describe('What is wanted, in Greek'),
      value_en: z.string().describe('What is wanted, in English'),
    }),
  )
  .describe(`What \`search\` says, in words; only in lists. ${WITH_ALL}`)

type CriterionInWords = z.output<typeof criteria>[number]

/** What is sought in words, in the order in which people say it. */
export function criteriaInWords(
  values: Record<string, unknown> | null,
  names: StoredNames,
): CriterionInWords[] {
  const { extra_fields, ...scalars } = values ?? {}
  const all: Record<string, unknown> = { ...scalars, ...(extra_fields as object | undefined) }
  return Object.entries(LABELS).flatMap(([name, [name_el, name_en]]) => {
    const [min, max, value] = [all[`${name}_min`], all[`${name}_max`], all[name]]
    const say = (language: 0 | 1) =>
      value === undefined
        ? rangeIn(language, min, max)
        : listIn([value].flat().map((one) => nameOf(name, one, names)[language]))
    const [value_el, value_en] = [say(0), say(1)]
    return value_el === '' ? [] : { name, name_el, name_en, value_el, value_en }
  })
}

function nameOf(field: string, value: unknown, names: StoredNames): Names {
  const key = String(value)
  const stored = field === 'locations' || field === 'subtypes' ? names[field]?.[key] : undefined
  return stored ?? VALUES.get(`${field} ${key}`) ?? (value === true ? YES : [key, key])
}

function listIn(names: string[]): string {
  const more = names.length - MAX_NAMED
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? ` +${more}` : '')
}

function rangeIn(language: 0 | 1, min: unknown, max: unknown): string {
  // Years have no separator.
  const format = new Intl.NumberFormat(['el-GR', 'en-GB'][language], { useGrouping: 'min2' })
  const number = (value: unknown) => (typeof value === 'number' ? format.format(value) : '')
  if (min === undefined) return max === undefined ? '' : `${UNTIL[language]} ${number(max)}`
  if (max === undefined) return `${FROM[language]} ${number(min)}`
  return min === max ? number(min) : `${number(min)} – ${number(max)}`
}

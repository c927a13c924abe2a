/** What the service's names are called in Greek and English: resources, values, jobs and reasons; fields by `field-names.ts`. */
import { ENUMERATIONS } from '../../catalogue/enumerations.ts'
import { FEATURES } from '../../catalogue/features.ts'
import { LOOKUPS } from '../../catalogue/lookups.ts'
import { RECORD_RESOURCES } from '../../catalogue/resources.ts'
import { SETTING_LIST } from '../../catalogue/settings.ts'
import { FIELDS } from './field-names.ts'
import type { Language } from './texts.ts'

interface ResourceNames {
  all: readonly [el: string, en: string]
  one?: readonly [el: string, en: string]
}
type Names = Readonly<Record<string, readonly [el: string, en: string]>>

/** What else the console names as it names resources: all, and one of them. */
const OTHERS: Readonly<Record<string, ResourceNames>> = {
  backups: { all: ['Αντίγραφα', 'Backups'], one: ['Αντίγραφο', 'Backup'] },
  calendars: { all: ['Ημερολόγια', 'Calendars'], one: ['Ημερολόγιο', 'Calendar'] },
  export: { all: ['Εξαγωγή', 'Export'] },
  feeds: { all: ['Ροές', 'Feeds'] },
  holds: { all: ['Δεσμεύσεις', 'Holds'] },
  import: { all: ['Εισαγωγή', 'Import'] },
  keys: { all: ['Κλειδιά', 'Keys'], one: ['Κλειδί', 'Key'] },
  knowledge_base: { all: ['Γνωσιακή βάση', 'Knowledge base'] },
  knowledge_base_categories: { all: ['Κατηγορίες άρθρων', 'Categories of articles'] },
  matches: { all: ['Αντιστοιχίες', 'Matches'], one: ['Αντιστοιχία', 'Match'] },
  people: { all: ['Πρόσωπα', 'People'] },
  settings: { all: ['Ρυθμίσεις', 'Settings'] },
  stores: { all: ['Γραφεία', 'Offices'], one: ['Γραφείο', 'Office'] },
  trail: { all: ['Ιστορικό', 'Trail'] },
  watermarks: { all: ['Υδατογραφήματα', 'Watermarks'] },
  webhooks: { all: ['Webhooks', 'Webhooks'] },
  // What is held about a person.
  contact: { all: ['Επαφή', 'Contact'], one: ['Επαφή', 'Contact'] },
  named: { all: ['Όπου κατονομάζεται', 'Where the person is named'] },
}

/** Resources by their tables: the names of all records, and of one. */
const RESOURCES: Readonly<Record<string, ResourceNames>> = {
  ...Object.fromEntries(
    [...RECORD_RESOURCES, ...LOOKUPS].map(({ table, one, many, greek }) => [
      table,
      { all: [greek[1], plain(many)], one: [greek[0], plain(one)] },
    ]),
  ),
  ...OTHERS,
}

const JOBS: Names = {
  matching: ['Αντιστοίχιση ζητήσεων', 'Matching of requests'],
  webhooks: ['Αποστολή webhooks', 'Delivery of webhooks'],
  mails: ['Αποστολή μηνυμάτων', 'Mails of enquiries'],
  idempotency_keys: ['Κλειδιά επανάληψης', 'Keys of repeated calls'],
  search_portions: ['Ευρετήριο ακινήτων', 'Index of listings'],
  search_texts: ['Ευρετήριο κειμένων', 'Index of texts'],
  public_points: ['Δημόσια σημεία στον χάρτη', 'Public points on the map'],
  picture_sizes: ['Μέτρηση φωτογραφιών', 'Sizes of pictures'],
  backups: ['Αντίγραφα', 'Backups'],
  imported_photos: ['Λήψη φωτογραφιών εισαγωγής', 'Photos of imports'],
  erasures: ['Διαγραφή προσώπων', 'Erasure of persons'],
  record_counts: ['Καταμέτρηση εγγραφών', 'Counts of records'],
  files: ['Εκκαθάριση αρχείων', 'Sweep of files'],
  enquiries: ['Παλαιά ερωτήματα', 'Old enquiries'],
  changes: ['Παλαιές αλλαγές', 'Old changes'],
  trail: ['Παλαιό ιστορικό', 'Old entries of the trail'],
  expired_idempotency_keys: ['Παλαιά κλειδιά επανάληψης', 'Old keys of repeated calls'],
}

/** Why a feed leaves a listing out. */
const LEFT_OUT: Names = {
  no_price: ['χωρίς τιμή', 'it has no price'],
  hidden_price: ['η τιμή του δεν δημοσιεύεται', 'its price is not published'],
  price_digits: ['η τιμή του έχει πάνω από οκτώ ψηφία', 'its price has more than eight digits'],
  auction: ['είναι σε πλειστηριασμό', 'it is auctioned'],
  shortterm: ['βραχυχρόνια μίσθωση, όχι με τον μήνα', 'it is let short-term, but not by the month'],
  no_area: ['χωρίς περιφέρεια και δήμο', 'it has no region and municipality'],
  no_type: ['η μορφή δεν έχει τέτοιο είδος', 'the format has no such type'],
}

/** How much of the contacts a calendar names. */
const DETAILS: Names = { brief: ['Σύντομο', 'Brief'], full: ['Πλήρες', 'Full'] }

/** What happens on timelines. */
const TIMELINE: Names = {
  enquiry: ['Ερώτημα', 'Enquiry'],
  request: ['Ζήτηση', 'Request'],
  offer_round: ['Προσφορά', 'Offer'],
  contract: ['Συμβόλαιο', 'Contract'],
  appointment: ['Ραντεβού', 'Appointment'],
  feedback: ['Εντυπώσεις', 'Feedback'],
  activity: ['Επικοινωνία', 'Activity'],
  task: ['Εργασία', 'Task'],
  change: ['Αλλαγή', 'Change'],
}

/** What a contact is in something that happened. */
const ROLES: Names = {
  buyer: ['Ενδιαφερόμενος', 'Buyer'],
  notary: ['Συμβολαιογράφος', 'Notary'],
  owner: ['Ιδιοκτήτης', 'Owner'],
  tenant: ['Ενοικιαστής', 'Tenant'],
  visitor: ['Επισκέπτης', 'Visitor'],
  other: ['Συμμετέχει', 'Takes part'],
}

/** What a webhook is sent. */
const MESSAGES: Names = { changes: ['Αλλαγές', 'Changes'], test: ['Δοκιμή', 'Test'] }

const KINDS: Readonly<Record<string, (name: string) => readonly [string, string] | undefined>> = {
  resources: (name) => RESOURCES[name]?.all,
  settings: (name) => SETTING_LIST.find(([one]) => one === name)?.[1].names,
  records: (name) => RESOURCES[name]?.one ?? RESOURCES[name]?.all,
  jobs: (name) => JOBS[name],
  leftOut: (name) => LEFT_OUT[name],
  messages: (name) => MESSAGES[name],
  details: (name) => DETAILS[name],
  timeline: (name) => TIMELINE[name],
  roles: (name) => ROLES[name],
}

const VALUES = new Map(
  ENUMERATIONS.map(({ name, values }) => [
    name as string,
    new Map(values.map((one) => [one.value, [one.name_el, one.name_en] as const])),
  ]),
)

/** The resources that the trail has, for a list to choose from. */
export const RESOURCE_NAMES = Object.keys(RESOURCES).filter((name) => !['contact', 'named'].includes(name))

function plain(name: string): string {
  const words = name.replace(/[_.-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const pick = (names: readonly [string, string], language: Language) => names[language === 'el' ? 0 : 1]

/** What a name of one of the tables above, or a value of an enumeration, is called; the name in words if none knows it. */
export function nameOf(kind: string, name: string, language: Language): string {
  const find = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined
  const known = find ? find(name.replace(/[-/]/g, '_')) : VALUES.get(kind)?.get(name)
  return known ? pick(known, language) : plain(name)
}

/** The values of an enumeration with their names. */
export function namesOf(kind: string, language: Language): [value: string, name: string][] {
  return [...(VALUES.get(kind) ?? [])].map(([value, names]) => [value, pick(names, language)])
}

const FEATURE_NAMES: Names = Object.fromEntries(
  FEATURES.map(({ key, name_el, name_en }) => [key, [name_el, name_en]]),
)

/** Fields that name a record, or several: `listing`, `contacts`. */
const REFERENCES: Names = Object.fromEntries(
  [...RECORD_RESOURCES, ...LOOKUPS].flatMap(({ table, one, many, greek }) => [
    [one.toLowerCase().replaceAll(' ', '_'), [greek[0], plain(one)]],
    [table, [greek[1], plain(many)]],
  ]),
)

/** `postal_code` of `location.postal_code`, and `locations` of `locations.0`. */
const lastOf = (field: string) => field.split('.').findLast((part) => !/^\d*$/.test(part)) ?? field

/** Bounds of what is sought. */
const BOUNDS: Names = { min: ['από', 'from'], max: ['έως', 'up to'] }

/** What a field is called: `location.postal_code` is "Postal code", `store_id` "Store", `price_max` "Price up to". */
export function fieldName(field: string, language: Language): string {
  const last = lastOf(field)
  const base = last.replace(/(?<=.)_id$/, '')
  const known = FIELDS[last] ?? FIELDS[base] ?? REFERENCES[base] ?? FEATURE_NAMES[last.replace(/^has_/, '')]
  if (known && typeof known !== 'string') return pick(known, language)
  if (known && language === 'el') return known
  const [, bounded = '', bound = ''] = /^(.+)_(min|max)$/.exec(last) ?? []
  const bounds = BOUNDS[bound]
  if (bounds) return `${fieldName(bounded, language)} ${pick(bounds, language)}`
  return plain(last.replace(/^(is|has)_|(?<=.)_id$/g, ''))
}

/** What a value of a field is called, where it is one of an enumeration. */
export function valueName(resource: string | null, field: string, value: string, language: Language): string {
  const last = lastOf(field)
  const singular = (resource ?? '').replace('external_', '').replace(/ies$/, 'y').replace(/s$/, '')
  const inside = [...VALUES].find(([name, values]) => name.endsWith(`_${last}`) && values.has(value))
  const feature = FEATURES.find(({ group, key, input }) => group === last && [key, input].includes(value))
  if (feature) return feature[`name_${language}`]
  const names =
    VALUES.get(`${singular}_${last}`)?.get(value) ?? VALUES.get(last)?.get(value) ?? inside?.[1].get(value)
  return names ? pick(names, language) : value
}

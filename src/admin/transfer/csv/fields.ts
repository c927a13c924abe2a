/** The fields of a listing that a column of a table may have, and what their columns are called. */
import { z } from 'zod'
import { ENUMERATIONS } from '../../../catalogue/enumerations.ts'
import { FEATURES } from '../../../catalogue/features.ts'
import { core, details, extra, location } from '../../../catalogue/listing.ts'
import { foldText } from '../../../db/fold.ts'
import type { Field } from '../../../fields/field.ts'

/** How the cells of a column are read. */
export type Kind = 'id' | 'whole' | 'number' | 'text' | 'date' | 'answer' | 'choice' | 'features' | 'photos'

/** Names that columns have besides the name of their field. The catalogue has names of values, not of fields. */
const NAMES: Record<string, string> = {
  id: 'α/α, αριθμός, no, number',
  code: 'κωδικός, κωδ., κωδικός ακινήτου, reference, ref',
  category: 'κατηγορία',
  subcategory: 'τύπος, είδος, τύπος ακινήτου, είδος ακινήτου, υποκατηγορία, type, property type, kind',
  availability: 'διάθεση, συναλλαγή, σκοπός, offer, purpose, for',
  price: 'τιμή, τιμή πώλησης, ενοίκιο, ζητούμενη τιμή, τίμημα, asking price, rent',
  size: 'εμβαδόν, εμβαδό, τ.μ., τμ, μέγεθος, area, sqm, m2, m²',
  floor: 'όροφος',
  levels: 'επίπεδα',
  rooms: 'υπνοδωμάτια, δωμάτια, υ/δ, bedrooms, beds',
  bathrooms: 'μπάνια, λουτρά, baths',
  year_built: 'έτος κατασκευής, έτος, built, year',
  title: 'τίτλος',
  description: 'περιγραφή, κείμενο, text',
  notes: 'σημειώσεις, σχόλια, παρατηρήσεις, comments',
  features: 'χαρακτηριστικά, παροχές, amenities',
  photos: 'φωτογραφία, φωτογραφίες, φωτό, εικόνα, εικόνες, photo, image, images, pictures',
  'location.address': 'διεύθυνση, οδός, street',
  'location.postal_code': 'τκ, τ.κ., ταχυδρομικός κώδικας, zip, postcode',
  'location.latitude': 'πλάτος, γεωγραφικό πλάτος, lat',
  'location.longitude': 'μήκος, γεωγραφικό μήκος, lng, lon',
  'location.area_level1': 'περιφέρεια, region',
  'location.area_level2': 'δήμος, περιοχή, municipality, district',
  'location.area_level3': 'γειτονιά, neighbourhood',
  'details.land_size': 'οικόπεδο, εμβαδόν οικοπέδου, plot, plot size',
  'details.heating_type': 'θέρμανση, heating',
  'details.assignment_expires': 'λήξη ανάθεσης, λήξη εντολής',
  'the service.energy_class': 'ενεργειακή κλάση, energy rating, epc',
  'the service.available_from': 'διαθέσιμο από, available',
  'the service.monthly_maintenance': 'κοινόχρηστα',
  status: 'κατάσταση αγγελίας',
}

const OWN: Record<string, Kind> = {
  ...{ id: 'id', code: 'text', category: 'choice', availability: 'choice', status: 'choice' },
  ...{ title: 'text', description: 'text', notes: 'text', features: 'features', photos: 'photos' },
  ...{ 'location.address': 'text', 'location.latitude': 'number', 'location.longitude': 'number' },
}

/** The kind of each field, by its dotted name. */
export const FIELD_KINDS: ReadonlyMap<string, Kind> = new Map([
  ...Object.entries(OWN),
  ...kindsOf(core),
  ...kindsOf(location, 'location.'),
  ...kindsOf(details, 'details.'),
  ...kindsOf(extra, 'the service.'),
  ...FEATURES.map(({ group, key }): [string, Kind] => [`${group}.${key}`, 'answer']),
])

function kindsOf(fields: Record<string, Field>, prefix = ''): [string, Kind][] {
  return Object.entries(fields).map(([name, field]) => [prefix + name, kindOf(field)])
}

function kindOf({ stored, to }: Field): Kind {
  const schema: unknown = stored instanceof z.ZodNullable ? stored.unwrap() : stored
  if (to !== undefined) return 'id'
  if (schema instanceof z.ZodEnum) return 'choice'
  if (schema instanceof z.ZodBoolean) return 'answer'
  if (schema instanceof z.ZodNumberFormat) return 'whole'
  if (schema instanceof z.ZodNumber) return 'number'
  return schema instanceof z.ZodType && schema.meta()?.format === 'date' ? 'date' : 'text'
}

/** A heading or name without case, accents and punctuation. A number at its end counts the columns of one field. */
export const foldedName = (text: string) =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Names with what they mean, but for those that mean several things. */
export function unambiguous<T>(entries: Iterable<readonly [string, T]>): Map<string, T> {
  const found = new Map<string, T>()
  const several = new Set<string>()
  for (const [name, meaning] of entries) {
    if (found.has(name) && found.get(name) !== meaning) several.add(name)
    found.set(name, meaning)
  }
  for (const name of several) found.delete(name)
  return found
}

const OF_FEATURES = FEATURES.flatMap(({ group, key, name_el, name_en }) =>
  [key, name_el, name_en].map((name): [string, string] => [foldedName(name), `${group}.${key}`]),
)

const BY_NAME = new Map<string, string>([
  ...OF_FEATURES,
  ...[...FIELD_KINDS.keys()].map((field): [string, string] => [
    foldedName(field.split('.').at(-1) ?? field),
    field,
  ]),
  ...Object.entries(NAMES).flatMap(([field, names]) =>
    [field, ...names.split(', ')].map((name): [string, string] => [foldedName(name), field]),
  ),
])

/** The field that a heading names; null if it is not known. */
export function fieldOf(heading: string): string | null {
  const withoutUnit = heading.replace(/\([^()]*\)/g, ' ')
  for (const name of [heading, withoutUnit, withoutUnit.replace(/\d+\s*$/, '')]) {
    const field = BY_NAME.get(foldedName(name))
    if (field !== undefined) return field
  }
  return null
}

/** The values of a choice by their folded names and keys. */
export function choicesOf(field: string): Map<string, string> {
  const key = field.split('.').at(-1)
  const name = key === 'status' ? 'listing_status' : key
  const values = ENUMERATIONS.find((one) => one.name === name)?.values ?? []
  return unambiguous(
    values.flatMap(({ value, name_el, name_en }) =>
      [value, name_el, name_en].map((text): [string, string] => [foldedName(text), value]),
    ),
  )
}

/** The features by their folded names and keys: group and key. */
export const FEATURE_NAMES: ReadonlyMap<string, string> = unambiguous(OF_FEATURES)

/** What has to be known of the lines of a backup before they pass: a first reading of all of them. */
import type { ErasedContact, ListedRecord } from '../../src/admin/erasure/list.ts'
import { type Place, placeOf } from '../../src/admin/erasure/places.ts'
import { resourceNamed } from '../../src/catalogue/resources.ts'
import { entityOf, parseJson } from './folder.ts'

export interface Line {
  entity: string
  data: Record<string, unknown>
  mode?: string
}

/** Records are named by entity and id. */
export interface Survey {
  /** Those that may have several lines: they changed while the export ran. */
  repeated: Set<string>
  /** Contacts on the list of the erased. */
  gone: Set<string>
  /** What is erased with those contacts, or links to them. */
  cleared: Set<string>
  /** Records of the list that the backup has. */
  found: Set<string>
  /** Those of them that it has with something to erase: the others it has as erased. */
  unerased: Set<string>
  /** Records that are newer than the erasure of their id: the id was given again after an earlier restore. */
  others: Set<string>
  /** Lines by entity. */
  counts: Record<string, number>
}

/** What a line of a record that changed during the export, or was removed, ends with. */
const REPEATS = [',"mode":"replace"}', ',"mode":"remove"}']

/** Reads all lines. An export has requests before the offers and contracts that are made of them. */
export async function surveyLines(
  lines: AsyncIterable<Buffer>,
  erased: readonly ErasedContact[],
): Promise<Survey> {
  const also = erased.flatMap((entry) => entry.also ?? [])
  const survey: Survey = {
    repeated: new Set(),
    gone: new Set(erased.map(({ id }) => `contacts ${id}`)),
    cleared: new Set(also.map(nameOfListed)),
    found: new Set(),
    unerased: new Set(),
    others: new Set(),
    counts: {},
  }
  const listed = new Set([...survey.gone, ...survey.cleared])
  const dates = datesOf(erased)
  for await (const line of lines) {
    if (line.length === 0) continue
    const entity = entityOf(line)
    survey.counts[entity] = (survey.counts[entity] ?? 0) + 1
    const isRepeated = REPEATS.some((end) => line.subarray(-end.length - 1).includes(end))
    const place = erased.length > 0 ? placeOf(entity) : undefined
    const parsed = isRepeated || place ? parse(line) : null
    if (!parsed) continue
    // What is marked is the erased one, which an earlier restore has stored blank.
    const isMarked = parsed.data.is_erased === true
    if (!isMarked && String(parsed.data.date_created ?? '') > (dates.get(nameOf(parsed)) ?? '9999')) {
      survey.others.add(nameOf(parsed))
      for (const names of [survey.gone, survey.cleared, listed]) names.delete(nameOf(parsed))
    }
    if (isRepeated) survey.repeated.add(nameOf(parsed))
    if (place && concernsErased(parsed, place, survey)) survey.cleared.add(nameOf(parsed))
    const name = nameOf(parsed)
    if (!place || !listed.has(name)) continue
    survey.found.add(name)
    // The last line of a record counts.
    if (isErased(parsed, place, survey)) survey.unerased.delete(name)
    else survey.unerased.add(name)
  }
  return survey
}

/** When what a list names was erased last, each record for itself. */
function datesOf(erased: readonly ErasedContact[]): Map<string, string> {
  const named = erased.flatMap(({ id, date, also = [] }) => [
    { name: `contacts ${id}`, date },
    ...also.map((one) => ({ name: nameOfListed(one), date: one.date ?? date })),
  ])
  return new Map(named.toSorted((a, b) => (a.date < b.date ? -1 : 1)).map(({ name, date }) => [name, date]))
}

/** Whether a record links to a contact on the list, or was made of a request that does. */
function concernsErased({ data }: Line, { links }: Place, { gone, cleared }: Survey): boolean {
  const contacts = links.flatMap((link) => valueAt(data, link.split('.')))
  return contacts.some((id) => gone.has(`contacts ${id}`)) || cleared.has(`requests ${data.request_id}`)
}

/** Whether a backup has a listed record as erased, or links it to a contact that is erased again and takes it along. */
function isErased({ data }: Line, { mark, links, fields }: Place, { unerased }: Survey): boolean {
  if (mark) return data.is_erased === true
  if (links.length === 0) return fields.every(({ name }) => (data[name] ?? null) === null)
  return links.flatMap((link) => valueAt(data, link.split('.'))).some((id) => unerased.has(`contacts ${id}`))
}

function valueAt(data: unknown, [key, ...rest]: string[]): unknown {
  if (key === undefined) return data
  return typeof data === 'object' && data !== null ? valueAt(Reflect.get(data, key), rest) : undefined
}

/** Null for a blank line, and for one that import refuses. */
export function parse(line: Buffer): Line | null {
  const { entity, data, mode } = (parseJson(line.toString()) ?? {}) as Partial<Line>
  return typeof entity === 'string' && data ? { entity, data, ...(mode ? { mode } : {}) } : null
}

/** The same for a record on the list of the erased. */
export function nameOfListed({ resource, id }: Pick<ListedRecord, 'resource' | 'id'>): string {
  return `${resourceNamed(resource).table} ${id}`
}

export function nameOf({ entity, data }: Line): string {
  return `${entity} ${data.id ?? data.key}`
}

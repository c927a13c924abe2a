/**
 * The order of the lines that an export adds to a file: referenced records come first. A definition whose meaning has
 * changed must follow all lines that use its old meaning, and precede those that use the new one. A record may have used it
 * before and after the change, so all records that use it are first written without it.
 */
import { AREAS } from '../../db/areas.ts'
import { type Entity, exportLine } from './entity.ts'

/** A line of an entity. `isNew`: the file has no line of this record yet. */
export interface ExportedRecord {
  entity: Entity
  row: object
  isNew: boolean
  /** The data to write; the whole record when absent. */
  data?: Data
  isRemoved?: true
}

type Data = Record<string, unknown>

/** Ids of definitions, by the name of their entity. */
type Ids = Map<string, Set<unknown>>

/**
 * Orders lines of the agency and of records, and returns their texts.
 * @param agency in the order of a file
 * @param records in the order of a file
 * @param places returns the ids of the places in the file, the oldest first
 */
export function* orderLines(
  agency: ExportedRecord[],
  records: ExportedRecord[],
  places: () => Iterable<number>,
): Generator<string> {
  const isGone = ({ isRemoved }: ExportedRecord) => isRemoved === true
  const isThere = (line: ExportedRecord) => !isGone(line)
  const written = records.filter(isThere)
  const late = definitionsUsedEarlier(agency.filter(isThere))
  yield* textOf(agency.filter((line) => isThere(line) && !late.has(line)))
  if (late.size > 0) {
    const ids = idsOf(late)
    yield* textOf(written.map((line) => withoutUses(line, ids, places)))
    yield* textOf([...late])
  }
  // The complete records, including those written above without a definition.
  yield* textOf(written)
  // Nothing refers to these any more. Records refer to those of the entities before them, and to the agency.
  yield* textOf(records.filter(isGone))
  yield* textOf(agency.filter(isGone))
}

/** The text of lines in replace mode: merging over an earlier line would keep values that were cleared since. */
function* textOf(lines: ExportedRecord[]): Generator<string> {
  const text = ({ entity, row, data, isRemoved }: ExportedRecord) =>
    exportLine(entity, row, isRemoved ? 'remove' : 'replace', data)
  if (lines.length > 0) yield lines.map(text).join('')
}

/** Definitions that the file has with another meaning, and new places within them. Parents come before children. */
function definitionsUsedEarlier(agency: ExportedRecord[]): Set<ExportedRecord> {
  const late = new Set<ExportedRecord>()
  const places = new Set<unknown>()
  for (const line of agency) {
    const { id, parent_id } = line.row as Data
    const isPlace = line.entity.name === 'locations'
    const isAltered = line.entity.changesDefinitions && !line.isNew
    if (!isAltered && !(isPlace && places.has(parent_id))) continue
    late.add(line)
    if (isPlace) places.add(id)
  }
  return late
}

function idsOf(definitions: Iterable<ExportedRecord>): Ids {
  const ids: Ids = new Map()
  for (const { entity, row } of definitions) {
    const known = ids.get(entity.name) ?? new Set()
    ids.set(entity.name, known.add((row as Data).id))
  }
  return ids
}

/** The line without the `definitions` that it uses. Another one of `places` may replace a required place. */
function withoutUses(line: ExportedRecord, definitions: Ids, places: () => Iterable<number>): ExportedRecord {
  const { entity, row } = line
  if (!entity.usesDefinitions) return line
  const isKept = (name: string) => (id: unknown) => !definitions.get(name)?.has(id)
  const data = entity.present(row)
  const kept = Object.entries(data).map(([key, value]): [string, unknown] => {
    if (value === null) return [key, value]
    switch (key) {
      case 'custom_fields':
      case 'extra_fields':
        return [key, withoutFields(value as Data, isKept('custom_fields'))]
      case 'subtype':
        return [key, isKept('listing_subtypes')(value) ? value : null]
      case 'subtypes':
        return [key, (value as unknown[]).filter(isKept('listing_subtypes'))]
      case 'location':
      case 'listing':
        return [key, withoutAreas(value as Data, isKept('locations'))]
      case 'locations':
        return [key, withoutPlaces(value as number[], isKept('locations'), places)]
      default:
        return [key, value]
    }
  })
  return { ...line, data: Object.fromEntries(kept) }
}

function withoutFields(fields: Data, isKept: (id: unknown) => boolean): Data {
  return Object.fromEntries(Object.entries(fields).filter(([id]) => isKept(Number(id))))
}

/** Keeps all areas or none, because each lies in the one above. */
function withoutAreas(place: Data, isKept: (id: unknown) => boolean): Data {
  if (AREAS.every((area) => isKept(place[area]))) return place
  return { ...place, ...Object.fromEntries(AREAS.map((area) => [area, null])) }
}

/** A request must keep at least one place. */
function withoutPlaces(
  needed: number[],
  isKept: (id: unknown) => boolean,
  places: () => Iterable<number>,
): number[] {
  const kept = needed.filter(isKept)
  if (kept.length > 0 || needed.length === 0) return kept
  for (const place of places()) if (isKept(place)) return [place]
  return needed
}

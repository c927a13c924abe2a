/**
 * The order of what an export adds to a file: what is referred to comes first, but a definition that has come to mean
 * something else only after the records that gave it up, and before those that use it now.
 */
import { type Entity, lineOf } from './entity.ts'

/** A line of an entity; `isNew` unless the file has one of the same record already. */
export interface Written {
  entity: Entity
  row: object
  isNew: boolean
}

/** Lines of the agency and of records, each in the order of a file, as texts. */
export function* orderLines(agency: Written[], records: Written[]): Generator<string> {
  const altered = agency.filter(({ entity, isNew }) => entity.changesDefinitions && !isNew)
  yield* textOf(agency.filter((line) => !altered.includes(line)))
  if (altered.length > 0) {
    yield* textOf(records.filter((line) => !usesAny(line, altered)))
    yield* textOf(altered)
  }
  // Those above once more, as they may refer to one of the others.
  yield* textOf(records)
}

/** The text of lines, each the whole record: merged over the one above it would leave what was cleared meanwhile. */
function* textOf(lines: Written[]): Generator<string> {
  if (lines.length > 0) yield lines.map(({ entity, row }) => lineOf(entity, row, 'replace')).join('')
}

type Data = Record<string, unknown>

/** Whether a record uses one of `definitions`. */
function usesAny({ entity, row }: Written, definitions: Written[]): boolean {
  const used = usedBy(entity.present(row))
  return definitions.some((definition) => {
    const { id } = definition.row as { id: number }
    return used.get(definition.entity.name)?.has(id)
  })
}

/** Ids of the definitions that a line uses, by entity. */
function usedBy(data: Data): Map<Entity['name'], Set<number>> {
  const group = (name: string) => (data[name] ?? {}) as Data
  const areas = [group('location'), group('listing')].flatMap((place) =>
    ['area_level1', 'area_level2', 'area_level3'].map((area) => place[area]),
  )
  const fields = Object.keys({ ...group('custom_fields'), ...group('extra_fields') })
  return new Map([
    ['locations', idsIn(areas, data.locations)],
    ['listing_subtypes', idsIn(data.subtype, data.subtypes)],
    ['custom_fields', idsIn(fields.map(Number))],
  ])
}

function idsIn(...values: unknown[]): Set<number> {
  return new Set(values.flat().filter((value) => typeof value === 'number'))
}

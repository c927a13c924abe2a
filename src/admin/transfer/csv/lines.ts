/** Makes the lines of an import from the rows of a table, by a map. */
import { featureKey } from '../../../catalogue/features.ts'
import { foldText } from '../../../db/fold.ts'
import { isPictureName } from '../entities/pictures.ts'
import { choicesOf, FEATURE_NAMES, FIELD_KINDS } from './fields.ts'
import { type ColumnMap, type CsvMap, categoryOf, splitList } from './map.ts'
import { type CsvProblem, MAX_PROBLEMS, type Row, type Table } from './table.ts'
import { isNumeric, readAnswer, readDate, readNumber } from './values.ts'

type Data = Record<string, unknown>

/** A record of a table, and the line on which it begins. */
export interface CsvLine {
  line: number
  entity: 'listings'
  data: Data
}

/** What to do about a cell that is read by no rule. */
const OR_NAMED = ': say what it is in "values" of the column in the map, or "" for nothing'

/** What a spreadsheet puts in the place of a value: a formula that it did not work out, or an error. */
const FORMULA = /^=|^#(?:N\/A|Δ\/Υ|[\p{L}/]+\d?[!?])$/u

/** The records of a table, and everything in it that cannot be read. They are to be sent only if there are no problems. */
export function linesOf(table: Table, map: CsvMap): { lines: CsvLine[]; problems: CsvProblem[] } {
  const problems = problemsOfMap(table, map)
  if (problems.length > 0) return { lines: [], problems }
  const skipped = new Set(map.skip_lines)
  const rows = table.rows.filter(({ line }) => !skipped.has(line))
  const seen = new Map<unknown, number>()
  const lines = rows.map((row, index): CsvLine => {
    const refuse = (column: string | null, message: string) => {
      if (problems.length < MAX_PROBLEMS) problems.push({ line: row.line, column, message })
    }
    const data = recordOf(row, map, refuse)
    if (map.first_id != null) {
      data.id = map.first_id + index
      if (row.cells.every((cell) => cell === '' || isNumeric(cell)))
        refuse(null, 'has numbers alone: is it a total? Name its line in "skip_lines" of the map')
    }
    if (data.id === undefined)
      refuse(idColumn(map), 'has no id: is it a total? Name its line in "skip_lines" of the map')
    else if (seen.has(data.id)) refuse(idColumn(map), `has the id of line ${seen.get(data.id)}`)
    seen.set(data.id, row.line)
    return { line: row.line, entity: 'listings', data }
  })
  return { lines, problems }
}

const idColumn = ({ columns }: CsvMap) => columns.find(({ field }) => field === 'id')?.heading ?? null

/** Where a map does not fit its table, or is not filled in. */
function problemsOfMap({ headings }: Table, map: CsvMap): CsvProblem[] {
  const { columns, every } = map
  const at = (column: string | null, message: string) => ({ line: 1, column, message })
  const isSame =
    headings.length === columns.length && columns.every(({ heading }, index) => heading === headings[index])
  if (!isSame) return [at(null, 'The headings are not those of the map: make a new draft')]
  const hasIds = map.first_id != null || idColumn(map) !== null
  return [
    ...(hasIds ? [] : [at(null, 'No column is the id: say in "first_id" of the map from where to number')]),
    ...columns.flatMap(({ heading, field }) =>
      field === null || FIELD_KINDS.has(field) ? [] : [at(heading, `"${field}" of the map is no field`)],
    ),
    ...columns.flatMap(({ heading, field, values = {} }) => {
      const known = knownValues(field)
      return Object.values(values).flatMap((value) =>
        known === null || value === null || value === '' || known.has(value)
          ? []
          : [at(heading, `"${value}" in "values" of the map is no value of ${field}`)],
      )
    }),
    ...Object.entries(every).flatMap(([name, value]) =>
      value === null ? [at(null, `"${name}" in "every" of the map has no value`)] : [],
    ),
  ]
}

/** What "values" of a column may say; null where that is not a choice. */
function knownValues(field: string | null): Set<unknown> | null {
  const kind = FIELD_KINDS.get(field ?? '')
  if (kind === 'features') return new Set(FEATURE_NAMES.values())
  return kind === 'choice' ? new Set(choicesOf(field ?? '').values()) : null
}

function recordOf(row: Row, map: CsvMap, refuse: (column: string, message: string) => void): Data {
  const data: Data = {}
  for (const [index, column] of map.columns.entries()) {
    const cell = row.cells[index] ?? ''
    if (column.field === null || cell === '') continue
    const value = readCell(cell, column)
    const problem = 'problem' in value ? value.problem : put(data, column.field, value.read)
    if (problem !== null) refuse(column.heading, `"${cell.slice(0, 60)}" ${problem}`)
  }
  const category = categoryOf(data.subcategory)
  return { ...map.every, ...(category === null ? {} : { category }), ...data }
}

type Read = { read: unknown } | { problem: string }

function readCell(cell: string, column: ColumnMap): Read {
  const { field, decimal = null, order = null, values = {} } = column
  const kind = FIELD_KINDS.get(field ?? '')
  const mapped = (name: string) => (Object.hasOwn(values, name) ? values[name] : undefined) ?? null
  const given = mapped(cell)
  // An empty text says that the cell has no value.
  if (given !== null && kind !== 'features' && kind !== 'photos')
    return { read: given === '' ? undefined : given }
  if (FORMULA.test(cell)) return { problem: 'is a formula or an error of the spreadsheet: save its values' }
  switch (kind) {
    case 'whole':
    case 'number': {
      const number = readNumber(cell, decimal)
      if (typeof number === 'string') return { problem: isNumeric(cell) ? number : number + OR_NAMED }
      if (kind === 'whole' && !Number.isSafeInteger(number)) return { problem: 'is not a whole number' }
      return { read: number }
    }
    case 'id': {
      return /^\d{1,13}$/.test(cell)
        ? { read: Number(cell) }
        : { problem: 'has no id: name it in "values" of the column in the map' }
    }
    case 'date': {
      const date = readDate(cell, order)
      return date === null
        ? { problem: 'is no date; "order" of the column in the map is d/m/y or m/d/y' }
        : { read: date }
    }
    case 'answer': {
      const answer = readAnswer(foldText(cell))
      return answer === null ? { problem: `is neither yes nor no${OR_NAMED}` } : { read: answer }
    }
    case 'choice':
      return { problem: 'is not in "values" of the column in the map' }
    case 'features': {
      const names = splitList(cell)
      const missing = names.find((name) => mapped(name) === null)
      if (missing !== undefined)
        return { problem: `has "${missing}", which is not in "values" of the column in the map` }
      return { read: names.map(mapped).filter((name) => name !== '') }
    }
    case 'photos': {
      const names = cell.split(/[\s|;]+|,(?=https?:)/i).filter(Boolean)
      return names.every(isPictureName)
        ? { read: names }
        : { problem: 'is no http or https address of a photo' }
    }
    default:
      return { read: cell }
  }
}

/** The field of a place, and its level. */
const AREA = /^location\.area_level([1-3])$/

/** Puts a value under a dotted name. Several columns may add to one list; a second value of another field is a problem. */
function put(data: Data, field: string, value: unknown): string | null {
  if (value === undefined) return null
  const [, level] = AREA.exec(field) ?? []
  if (Array.isArray(value) && level !== undefined) {
    // The last id is that of the field's own level.
    const first = Number(level) - value.length + 1
    if (first < 1) return `has more places in "values" of the map than there are down to ${field}`
    const found = value.map((id, index) => put(data, `location.area_level${first + index}`, id))
    return found.find((problem) => problem !== null) ?? null
  }
  const [group = '', key] = field.split('.')
  const list = (name: string) => (Array.isArray(data[name]) ? data[name] : [])
  if (field === 'photos' && Array.isArray(value))
    data.photos = [...list('photos'), ...value.map((original_image) => ({ original_image }))]
  else if (field === 'features' && Array.isArray(value))
    for (const name of value) put(data, String(name), true)
  else if (isFeature(group, key)) {
    if (value === true && !list(group).includes(key)) data[group] = [...list(group), key]
  } else {
    const into: Data = key === undefined ? data : { ...(data[group] as Data | undefined) }
    const name = key ?? field
    if (Object.hasOwn(into, name) && into[name] !== value)
      return `is a second ${field}: another column has it, too`
    into[name] = value
    if (key !== undefined) data[group] = into
  }
  return null
}

function isFeature(group: string, key: string | undefined): key is string {
  return (
    key !== undefined &&
    (['features', 'positioning', 'view', 'flooring'] as const).some(
      (one) => one === group && featureKey(one, key) !== undefined,
    )
  )
}

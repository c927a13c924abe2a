/** Numbers, dates and answers as people write them in tables. */
import { isDate } from '../../../fields/values.ts'

/** The decimal mark of a column. */
export type Decimal = ',' | '.'
/** The order of days and months in a column. */
export type DayOrder = 'd/m/y' | 'm/d/y'

/** Currencies and units that stand beside numbers. */
const UNITS = /€|\$|£|eur(?:o|os)?\b|ευρώ|τ\.?\s?μ\.?|m²|m2|sq\.?\s?m\.?|sqm/giu
const NUMBER = /^-?\d+(?:[.,]\d+)*$/

/** A number without its unit and the spaces within it; null if it is none. */
function bareNumber(text: string): string | null {
  const bare = text
    .replace(UNITS, '')
    .replace(/[\s\u00A0\u202F'’]/g, '')
    // As in 320.000,-
    .replace(/,[-–—]{1,2}$/, '')
  return bare.length <= 30 && NUMBER.test(bare) ? bare : null
}

/** What a number says of its decimal mark: `null` nothing, `either` that it has two readings. */
function markOf(bare: string): Decimal | 'either' | null {
  const marks = bare.replace(/[^.,]/g, '')
  const [first] = marks
  const last = marks.at(-1)
  if (first === undefined || last === undefined) return null
  if (first !== last) return last === ',' ? ',' : '.'
  const other = first === ',' ? '.' : ','
  // It stands more than once, so it parts thousands.
  if (marks.length > 1) return other
  const [whole = '', rest = ''] = bare.split(first)
  if (rest.length !== 3 || whole.replace('-', '').length > 3 || /^-?0/.test(whole))
    return first === ',' ? ',' : '.'
  return 'either'
}

/** The decimal mark of a column; null if no cell has one, or if `isOpen`, as they can be read in two ways. */
export function decimalOf(
  cells: readonly string[],
  isWhole: boolean,
): { mark: Decimal | null; isOpen: boolean } {
  let mark: Decimal | null = null
  let decimals = 0
  const open = new Set<Decimal>()
  for (const cell of cells) {
    const bare = bareNumber(cell)
    const found = bare === null ? null : markOf(bare)
    if (bare === null || found === null) continue
    if (found !== 'either') {
      mark ??= found
      decimals = Math.max(decimals, (bare.split(found)[1] ?? '').length)
    } else if (!isWhole) open.add(bare.includes('.') ? '.' : ',')
    // A whole number has no three decimals, so the mark parts thousands.
    else mark ??= bare.includes('.') ? ',' : '.'
  }
  // Beside 74.5, 1.234 is rather a number of thousands than one with three decimals.
  const isOpen = mark === null ? open.size > 0 : open.has(mark) && decimals < 3
  return { mark: isOpen ? null : mark, isOpen }
}

/** Whether a cell is a number, in whichever way it is read. */
export const isNumeric = (cell: string) => bareNumber(cell) !== null

/** Reads a number. The text says what is wrong with it. */
export function readNumber(text: string, decimal: Decimal | null): number | string {
  const bare = bareNumber(text)
  if (bare === null) return 'is not a number'
  const found = markOf(bare)
  if (found === null) return Number(bare)
  if (decimal === null) return 'can be read in two ways: set "decimal" of the column in the map to "," or "."'
  const thousands = decimal === ',' ? '.' : ','
  const [whole = '', fraction, ...more] = bare.split(decimal)
  const isGrouped = whole
    .replace('-', '')
    .split(thousands)
    .every((group, index) => index === 0 || group.length === 3)
  if (more.length > 0 || fraction?.includes(thousands) || !isGrouped)
    return `does not fit the decimal mark "${decimal}" of its column`
  return Number(`${whole.replaceAll(thousands, '')}${fraction === undefined ? '' : `.${fraction}`}`)
}

/** A date; programs write midnight beside it. */
const DATE = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?: 0{1,2}:00(?::00)?)?$/

/** The order of days and months in a column; null if its cells allow both. */
export function dayOrderOf(cells: readonly string[]): DayOrder | null {
  for (const cell of cells) {
    const [, first = 0, second = 0] = DATE.exec(cell) ?? []
    if (Number(first) > 12) return 'd/m/y'
    if (Number(second) > 12) return 'm/d/y'
  }
  return null
}

/** Reads a date as `YYYY-MM-DD`; null if it is none. */
export function readDate(text: string, order: DayOrder | null): string | null {
  const [, first = '', second = '', year = ''] = DATE.exec(text) ?? []
  if (year === '') return isDate(text) ? text : null
  const [day, month] = order === 'm/d/y' ? [second, first] : [first, second]
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  return order !== null && isDate(date) ? date : null
}

const ANSWERS = new Map([
  ...['ναι', 'yes', 'true', '1', 'x', 'χ', '✓', 'αληθησ', 'αληθεσ'].map((text) => [text, true] as const),
  ...['οχι', 'no', 'false', '0', '-', 'ψευδησ', 'ψευδεσ'].map((text) => [text, false] as const),
])

/** Reads yes or no of a folded text; null if it is neither. */
export function readAnswer(folded: string): boolean | null {
  return ANSWERS.get(folded) ?? null
}

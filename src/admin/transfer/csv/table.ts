/** Reads a CSV or TSV file into rows that know their lines. */
import Papa from 'papaparse'
import { decode, type Encoding, encodingOf } from './decode.ts'

/** What may stand between cells. */
export const DELIMITERS = [';', '\t', ','] as const
export type Delimiter = (typeof DELIMITERS)[number]

export interface Row {
  /** The line on which it begins, from 1. */
  line: number
  cells: string[]
}

/** A file as it was read. */
export interface Table {
  encoding: Encoding
  delimiter: Delimiter
  headings: string[]
  rows: Row[]
}

/** Where and why a file cannot be read. */
export interface CsvProblem {
  line: number
  column: string | null
  message: string
}

/** Maximum bytes of a file: it is read as a whole. */
const MAX_BYTES = 50_000_000
export const MAX_PROBLEMS = 100

/** Reads a file. What `known` does not name is found out. Throws what is wrong with the file as a whole. */
export function readTable(
  bytes: Uint8Array,
  known: { encoding?: Encoding; delimiter?: Delimiter } = {},
): { table: Table; problems: CsvProblem[] } {
  if (bytes.length > MAX_BYTES) throw new Error(`The file is too large: at most ${MAX_BYTES} bytes are read.`)
  const encoding = known.encoding ?? encodingOf(bytes)
  // Files that were put together have several line ends.
  const whole = decode(bytes, encoding).replace(/\r\n?/g, '\n')
  if (whole.includes('\0')) throw new Error('The file is no text: save the table as CSV.')
  // Excel names the delimiter in a line of its own.
  const [hint = '', named] = /^sep=(.)\n/i.exec(whole) ?? []
  const text = whole.slice(hint.length)
  const rows: Row[] = []
  const problems: CsvProblem[] = []
  const refuse = (line: number, message: string) => {
    if (problems.length < MAX_PROBLEMS) problems.push({ line, column: null, message })
  }
  const delimiter = known.delimiter ?? DELIMITERS.find((one) => one === named) ?? delimiterOf(text)
  let line = hint === '' ? 1 : 2
  let at = 0
  Papa.parse<string[]>(text, {
    delimiter,
    newline: '\n',
    step: ({ data, errors, meta }) => {
      for (const { message } of errors) refuse(line, message)
      const cells = data.map((cell) => cell.trim())
      if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
      for (; at < meta.cursor; at++) if (text[at] === '\n') line++
    },
  })
  const [first, ...rest] = rows
  if (!first) throw new Error('The file is empty: it has no headings.')
  const width = first.cells.length
  if (width < 2)
    throw new Error('The first row has one cell, but must have the headings, parted by ";", "," or tabs.')
  // A delimiter at the end of every row is a habit of programs; at the end of some, a cell may have been split.
  const isHabit = rest.every(({ cells }) => cells.length > width)
  for (const { line, cells } of rest)
    if (cells.length > width && !(isHabit && cells.slice(width).every((cell) => cell === '')))
      refuse(line, `has ${cells.length} cells, more than headings`)
  return { table: { encoding, delimiter, headings: first.cells, rows: rest }, problems }
}

/** The delimiter that splits the headings into most cells. */
function delimiterOf(text: string): Delimiter {
  const counts = DELIMITERS.map(
    (delimiter) =>
      Papa.parse<string[]>(text.slice(0, 100_000), { delimiter, newline: '\n', preview: 1 }).data[0]
        ?.length ?? 0,
  )
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ';'
}

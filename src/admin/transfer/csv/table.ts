/** Reads a CSV or TSV file into rows that know their lines. */
import Papa from 'papaparse'
import { decode, type Encoding, encodingOf } from './decode.ts'

/** What may stand between cells. */
export type Delimiter = ',' | ';' | '\t'

/** A row of a file. */
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

/** Reads a file. What `known` does not name is found out. Throws what is wrong with the file as a whole. */
export function readTable(
  bytes: Uint8Array,
  known: { encoding?: Encoding; delimiter?: Delimiter } = {},
): { table: Table; problems: CsvProblem[] } {
  if (bytes.length > MAX_BYTES) throw new Error(`The file is too large: at most ${MAX_BYTES} bytes are read.`)
  const encoding = known.encoding ?? encodingOf(bytes)
  const text = decode(bytes, encoding)
  const rows: Row[] = []
  const problems: CsvProblem[] = []
  const delimiter = known.delimiter ?? delimiterOf(text)
  let line = 1
  let at = 0
  Papa.parse<string[]>(text, {
    delimiter,
    step: ({ data, errors, meta }) => {
      for (const { message } of errors) problems.push({ line, column: null, message })
      const cells = data.map((cell) => cell.trim())
      if (cells.some((cell) => cell !== '')) rows.push({ line, cells })
      for (; at < meta.cursor; at++) if (isLineEnd(text, at)) line++
    },
  })
  const [first, ...rest] = rows
  if (!first) throw new Error('The file is empty: it has no headings.')
  for (const row of rest) {
    const extra = row.cells.findIndex((cell, index) => index >= first.cells.length && cell !== '')
    if (extra >= 0)
      problems.push({
        line: row.line,
        column: null,
        message: `has ${row.cells.length} cells, more than headings`,
      })
  }
  return { table: { encoding, delimiter, headings: first.cells, rows: rest }, problems }
}

function isLineEnd(text: string, at: number): boolean {
  const character = text[at]
  return character === '\n' || (character === '\r' && text[at + 1] !== '\n')
}

/** The delimiter that splits the headings into most cells. */
function delimiterOf(text: string): Delimiter {
  const { data } = Papa.parse<string[]>(text.slice(0, 100_000), { delimiter: ';', preview: 1 })
  const count = (delimiter: Delimiter) =>
    Papa.parse<string[]>(text.slice(0, 100_000), { delimiter, preview: 1 }).data[0]?.length ?? 0
  let best: Delimiter = ';'
  let most = data[0]?.length ?? 0
  for (const other of ['\t', ','] as const) if (count(other) > most) [best, most] = [other, count(other)]
  return best
}

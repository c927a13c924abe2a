/** Files as agencies have them, as bytes. */

type Cells = string[][]

/** The rows of a table; `1.jpg` stands for its address. */
const cellsOf = (text: string): Cells =>
  text
    .trim()
    .split('\n')
    .map((row) => row.split('|').map((cell) => cell.trim().replace(/^\d\.jpg$/, 'https://old.example/$&')))

const ROWS = cellsOf(`
ID|Κωδικός|Τύπος|Διάθεση|Τιμή|Εμβαδόν (τ.μ.)|Διεύθυνση|Τίτλος|Ανελκυστήρας|Διαθέσιμο από|Φωτο 1|Φωτο 2
71|A-17|Διαμέρισμα|Πώληση|320.000|74,5|Σόλωνος 5|Φωτεινό|Ναι|12/3/2026|1.jpg|2.jpg
72|A-18|Μονοκατοικία|Ενοικίαση|1.200 €|1.140|Λεβίδου 12|Κήπος|Όχι|||
`)

const ENGLISH = cellsOf(`
id|Ref|Property type|For|Price|Size (m²)|Street|Title|Elevator|Available from|Photo 1|Photo 2
71|A-17|Apartment|Sale|€320,000|74.5|Σόλωνος 5|Φωτεινό|yes|3/12/2026|1.jpg|2.jpg
72|A-18|Detached house|Rent|1,200.00|1,140|Λεβίδου 12|Κήπος|no|||
`)

const quoted = (cell: string, delimiter: string) =>
  cell.includes(delimiter) || /["\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
const written = (cells: Cells, delimiter: string, end = '\r\n') =>
  cells.map((row) => row.map((cell) => quoted(cell, delimiter)).join(delimiter) + end).join('')

/** Cells with some of them changed. */
function withCells(changes: Record<string, string>[]): Cells {
  const [headings = [], ...rows] = ROWS
  return [
    headings,
    ...rows.map((row, at) => row.map((cell, index) => changes[at]?.[headings[index] ?? ''] ?? cell)),
  ]
}

const utf8 = (text: string) => new TextEncoder().encode(text)

function inCodePage(text: string, name: string): Uint8Array {
  const decoder = new TextDecoder(name)
  const bytes = new Map(Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte]))
  return Uint8Array.from(text, (character) => bytes.get(character) ?? 0x3f)
}

function inUtf16(text: string): Uint8Array {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index))
  return Uint8Array.from([0xff, 0xfe, ...units.flatMap((unit) => [unit & 255, unit >> 8])])
}

/** The files by what is special about them. */
export const FILES: Record<string, Uint8Array> = {
  'Excel in Greek: semicolons, windows-1253': inCodePage(written(ROWS, ';'), 'windows-1253'),
  'LibreOffice: commas, UTF-8': utf8(written(ROWS, ',', '\n')),
  tabs: utf8(written(ROWS, '\t')),
  'semicolons with a byte order mark': utf8(`\uFEFF${written(ROWS, ';')}`),
  'UTF-16': inUtf16(written(ROWS, '\t')),
  'quoted line breaks': utf8(written(withCells([{ Τίτλος: 'Φωτεινό;\nμε "θέα"' }]), ';')),
  'empty prices': utf8(written(withCells([{}, { Τιμή: '' }]), ';')),
  'photos in one cell and several columns': utf8(
    written(
      withCells([
        {
          'Φωτο 1': 'https://old.example/1.jpg https://old.example/2.jpg',
          'Φωτο 2': 'https://old.example/3.jpg',
        },
      ]),
      ';',
    ),
  ),
  'a total row at the end': utf8(`${written(ROWS, ';')};;;;;;;;;;;\r\nΣύνολο;;;;321.200;;;;;;;\r\n`),
  English: utf8(written(ENGLISH, ',')),
}

/** CSV files on the command line: a draft of the map, the preview, and the lines to send. */
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { z } from 'zod'
import { type CsvLine, linesOf } from '../../src/admin/transfer/csv/lines.ts'
import { type CsvMap, csvMap, draftMap, idAbove, type Place } from '../../src/admin/transfer/csv/map.ts'
import { type CsvProblem, MAX_PROBLEMS, readTable, type Table } from '../../src/admin/transfer/csv/table.ts'
import { adminData, type Service } from './admin.ts'

/** Records of a preview. */
const PREVIEW = 3
/** Problems of a preview. */
const SHOWN = 20

/**
 * Writes the draft of a map beside the file, and shows what it makes of the first records. Places are found by the names that
 * the service has for them.
 */
export async function draftBeside(file: string, service: Service | null): Promise<void> {
  const { table, problems } = readTable(await readFile(file))
  refuseProblems(problems)
  const beside = `${file}.map.json`
  if (existsSync(beside))
    throw new Error(`${beside} is there already: import with --map ${beside}, or remove it for a new draft.`)
  const map = service
    ? draftMap(table, await adminData<Place[]>(service, 'GET', '/api/locations'), await freeId(service))
    : draftMap(table)
  await writeFile(beside, `${JSON.stringify(map, null, 2)}\n`)
  const { lines, problems: open } = linesOf(table, map)
  show(table, map, lines)
  for (const problem of open.slice(0, SHOWN)) console.error(describeProblem(problem))
  if (open.length > SHOWN) console.error('… and more')
  if (!service) console.error('Places are not looked up: for that, set KEY to a key that reads, and --url.')
  console.error(`\nNothing is imported. Read ${beside}, correct it, and import with --map ${beside}`)
}

/** An id for the first of the records, so that they replace no listing of the service. */
async function freeId(service: Service): Promise<number> {
  const [last] = await adminData<{ id: number }[]>(
    service,
    'GET',
    '/api/listings?sort=-id&per_page=1&fields=id',
  )
  return idAbove(last?.id ?? 0)
}

/** The lines of a file by a map. The number of each is its line in the file. Throws what cannot be read. */
export async function linesByMap(file: string, mapFile: string): Promise<string[]> {
  const map = parseMap(await readFile(mapFile, 'utf8'), mapFile)
  const { table, problems } = readTable(await readFile(file), map)
  refuseProblems(problems)
  const { lines, problems: unread } = linesOf(table, map)
  refuseProblems(unread)
  show(table, map, lines)
  const numbered: string[] = []
  for (const { line, ...record } of lines) numbered[line - 1] = JSON.stringify(record)
  return Array.from(numbered, (text) => text ?? '')
}

function parseMap(text: string, file: string): CsvMap {
  try {
    // Notepad writes a byte order mark.
    return csvMap.parse(JSON.parse(text.replace(/^\uFEFF/, '')))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new Error(`${file} is no map: ${why}`)
  }
}

function refuseProblems(problems: CsvProblem[]): void {
  if (problems.length === 0) return
  const more = problems.length < MAX_PROBLEMS ? '' : '\n… and perhaps more'
  throw new Error(`Nothing is sent.\n${problems.map(describeProblem).join('\n')}${more}`)
}

function describeProblem({ line, column, message }: CsvProblem): string {
  return `line ${line}${column === null ? '' : `, column "${column}"`}: ${message}`
}

function show({ encoding, delimiter, rows }: Table, { columns, skip_lines }: CsvMap, lines: CsvLine[]): void {
  const mark = delimiter === '\t' ? 'tabs' : `"${delimiter}"`
  console.error(`${rows.length} rows, ${encoding}, cells parted by ${mark}`)
  for (const { heading, field, decimal, order } of columns) {
    const how = decimal ? `, decimal mark "${decimal}"` : order ? `, ${order}` : ''
    console.error(`  ${heading} → ${field ?? '(not imported)'}${field === null ? '' : how}`)
  }
  if (skip_lines.length > 0) console.error(`  not imported: lines ${skip_lines.join(', ')}`)
  for (const { line, data } of lines.slice(0, PREVIEW)) console.error(`line ${line}: ${JSON.stringify(data)}`)
}

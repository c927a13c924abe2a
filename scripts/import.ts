/** `npm run import`: imports a file of any length. Shows progress, then the totals and every refused line. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isTable } from '../src/admin/transfer/csv/decode.ts'
import { readUrl, serviceFrom } from './service/admin.ts'
import { draftBeside, linesByMap } from './service/csv.ts'
import { requireRecords } from './service/import-format.ts'
import { importLines } from './service/import-lines.ts'
import { type ImportTotals, splitLines } from './service/import-requests.ts'
import { readCommandLine, refuseCommandLine, runScript, showProgress } from './service/terminal.ts'
import { type TrialTotals, tryLines } from './service/try-lines.ts'

const USAGE = `Imports the records of a file in the format of \`npm run export\`: one JSON object a line (docs/transfer.md).
Of a CSV or TSV file of listings it first writes a map, and imports by it (docs/bringing-your-data.md).

Usage: ADMIN_TOKEN=… npm run import -- FILE [OPTIONS]
A draft of a map needs no token; with KEY, a key that reads, it has the ids of places by their names.

  --dry-run       says what the import would say, and stores nothing
  --fetch-photos  has the photos of listings downloaded whose original_image is an address elsewhere
  --map FILE      how a CSV file is read; without it, a draft is written and nothing is imported
  --replace       each line replaces the whole record, to restore a backup; otherwise lines are merged
  --strict        refuses what POST refuses, which is otherwise a warning; always so for CSV
  --url URL       the service (default: http://localhost:8787)
  --help          shows this`

async function main(): Promise<void> {
  const { values, positionals } = readCommandLine(
    USAGE,
    {
      url: { type: 'string' },
      map: { type: 'string' },
      replace: { type: 'boolean' },
      strict: { type: 'boolean' },
      'dry-run': { type: 'boolean' },
      'fetch-photos': { type: 'boolean' },
    } as const,
    true,
  )
  const [file] = positionals
  if (!file) return refuseCommandLine('No file is given.')
  const { size: bytes } = await stat(file)
  if (bytes === 0) throw new Error(`${file} is empty: there is nothing to import.`)
  const isCsv = isTable(file)
  if (/\.(?:xlsx?|ods|numbers)$/i.test(file))
    throw new Error(`${file} is a spreadsheet: save it as CSV first.`)
  if (!isCsv && values.map !== undefined) return refuseCommandLine('--map is for CSV and TSV files.')
  if (isCsv && values.map === undefined)
    return draftBeside(
      file,
      process.env.KEY ? { url: readUrl(values.url), adminToken: process.env.KEY } : null,
    )
  const service = serviceFrom(values.url)
  const table = isCsv && values.map !== undefined ? await linesByMap(file, values.map) : null
  const lines = table ?? requireRecords(file, splitLines(createReadStream(file)))
  const size = table ? table.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0) : bytes
  const onProgress = ({ accepted, rejected }: ImportTotals, bytes: number) => {
    showProgress(`${Math.round((100 * bytes) / size)} %  ${accepted} accepted, ${rejected} rejected`)
  }
  const options = {
    replace: values.replace,
    fetchPhotos: values['fetch-photos'],
    strict: values.strict || table !== null,
  }
  if (values['dry-run']) {
    const totals = await tryLines(service, lines, onProgress, options)
    showTotals(totals, ' (nothing is stored)')
    showLimits(totals)
  } else {
    showTotals(await importLines(service, lines, onProgress, options))
  }
}

function showTotals(totals: ImportTotals, note = ''): void {
  showProgress(`${totals.accepted} accepted, ${totals.rejected} rejected${note}`, true)
  for (const { line, entity, id, problems } of totals.errors) {
    console.error(
      `line ${line}: ${entity ?? '?'} ${id ?? ''}: ${problems.map(({ message }) => message).join('; ')}`,
    )
  }
  for (const { line, message } of totals.warnings) console.error(`line ${line}: warning: ${message}`)
  for (const { line, fields } of totals.ignored) {
    console.error(`line ${line}: unknown and ignored: ${fields.join(', ')}`)
  }
  process.exitCode = totals.rejected > 0 ? 1 : 0
}

/** Says what the dry run of a long file does not find out. */
function showLimits({ requests, undecided }: TrialTotals): void {
  if (requests > 1) {
    console.error(
      `The file takes ${requests} requests. Each was tried by itself, and refused lines again with the lines that they need. ` +
        'Not found are values that must be unique and stand in two requests.',
    )
  }
  if (undecided.length > 0)
    console.error(`Undecided, as they need too many other lines: ${undecided.join(', ')}`)
}

await runScript(main)

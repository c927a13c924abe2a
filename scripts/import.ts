/** `npm run import`: imports a file of any length. Shows progress, then the totals and every refused line. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { serviceFrom } from './service/admin.ts'
import { requireRecords } from './service/import-format.ts'
import { type ImportTotals, importLines, splitLines } from './service/import-lines.ts'
import { readCommandLine, refuseCommandLine, runScript, showProgress } from './service/terminal.ts'

const USAGE = `Imports the records of a file in the format of \`npm run export\`: one JSON object a line (docs/transfer.md).

Usage: ADMIN_TOKEN=… npm run import -- FILE [OPTIONS]

  --replace   each line replaces the whole record, to restore a backup; otherwise lines are merged
  --url URL   the service (default: http://localhost:8787)
  --help      shows this`

async function main(): Promise<void> {
  const options = { url: { type: 'string' }, replace: { type: 'boolean' } } as const
  const { values, positionals } = readCommandLine(USAGE, options, true)
  const [file] = positionals
  if (!file) return refuseCommandLine('No file is given.')
  const service = serviceFrom(values.url)
  const { size } = await stat(file)
  if (size === 0) throw new Error(`${file} is empty: there is nothing to import.`)
  const lines = requireRecords(file, splitLines(createReadStream(file)))
  const onProgress = ({ accepted, rejected }: ImportTotals, bytes: number) => {
    showProgress(`${Math.round((100 * bytes) / size)} %  ${accepted} accepted, ${rejected} rejected`)
  }
  const totals = await importLines(service, lines, onProgress, values.replace)
  showProgress(`${totals.accepted} accepted, ${totals.rejected} rejected`, true)
  for (const { line, entity, id, message } of totals.errors) {
    console.error(`line ${line}: ${entity ?? '?'} ${id ?? ''}: ${message}`)
  }
  for (const { line, fields } of totals.ignored) {
    console.error(`line ${line}: unknown and ignored: ${fields.join(', ')}`)
  }
  process.exitCode = totals.rejected > 0 ? 1 : 0
}

await runScript(main)

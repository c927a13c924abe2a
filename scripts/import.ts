/**
 * Imports a file of any length: `ADMIN_TOKEN=… npm run import -- FILE [--url URL] [--replace]`. Shows progress, and ends
 * with the totals and every refused line.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { serviceFrom } from './service/admin.ts'
import { type ImportTotals, importLines, splitLines } from './service/import-lines.ts'
import { runScript, showProgress } from './service/terminal.ts'

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { url: { type: 'string' }, replace: { type: 'boolean' } },
    allowPositionals: true,
  })
  const [file] = positionals
  if (!file) {
    console.error('Usage: npm run import -- FILE [--url URL] [--replace]')
    process.exit(2)
  }
  const { size } = await stat(file)
  const lines = splitLines(createReadStream(file))
  const onProgress = ({ accepted, rejected }: ImportTotals, bytes: number) => {
    showProgress(`${Math.round((100 * bytes) / size)} %  ${accepted} accepted, ${rejected} rejected`)
  }
  const totals = await importLines(serviceFrom(values.url), lines, onProgress, values.replace)
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

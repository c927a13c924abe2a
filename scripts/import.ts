/**
 * Imports a file of any length: `ADMIN_TOKEN=… npm run import -- FILE [--url URL]`. Cuts it into requests, shows
 * progress, and ends with the totals and the refused lines.
 */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { adminCall, runScript, type Service, serviceFrom, showProgress } from './service.ts'

/** One request's bounds, a little below the service's own. */
const MAX_LINES = 1000
const MAX_BYTES = 7_500_000

interface ImportError {
  line: number
  entity: string | null
  id: number | string | null
  message: string
}

export interface ImportTotals {
  accepted: number
  rejected: number
  errors: ImportError[]
}

/** Sends `lines` in as many requests as they need; `onProgress` hears of each. */
export async function importLines(
  service: Service,
  lines: AsyncIterable<string> | Iterable<string>,
  onProgress: (totals: ImportTotals, bytes: number) => void,
): Promise<ImportTotals> {
  const totals: ImportTotals = { accepted: 0, rejected: 0, errors: [] }
  let request: string[] = []
  let firstLine = 1
  let length = 0
  let bytes = 0
  const send = async () => {
    const answer = await adminCall(service, 'POST', '/admin/import', request.join('\n'))
    const { data } = (await answer.json()) as { data: ImportTotals }
    totals.accepted += data.accepted
    totals.rejected += data.rejected
    totals.errors.push(...data.errors.map((error) => ({ ...error, line: error.line + firstLine - 1 })))
    firstLine += request.length
    bytes += length
    request = []
    length = 0
    onProgress(totals, bytes)
  }
  for await (const line of lines) {
    const size = Buffer.byteLength(line) + 1
    if (request.length === MAX_LINES || (request.length > 0 && length + size > MAX_BYTES)) await send()
    request.push(line)
    length += size
  }
  if (request.length > 0) await send()
  return totals
}

/** The lines of a text. Only a newline ends one: node:readline also cuts at U+2028, which JSON has in its strings. */
async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ options: { url: { type: 'string' } }, allowPositionals: true })
  const [file] = positionals
  if (!file) {
    console.error('Usage: npm run import -- FILE [--url URL]')
    process.exit(2)
  }
  const { size } = await stat(file)
  const lines = splitLines(createReadStream(file, 'utf8'))
  const totals = await importLines(serviceFrom(values.url), lines, ({ accepted, rejected }, bytes) => {
    showProgress(`${Math.round((100 * bytes) / size)} %  ${accepted} accepted, ${rejected} rejected`)
  })
  showProgress(`${totals.accepted} accepted, ${totals.rejected} rejected`, true)
  for (const { line, entity, id, message } of totals.errors) {
    console.error(`line ${line}: ${entity ?? '?'} ${id ?? ''}: ${message}`)
  }
  if (totals.errors.length < totals.rejected)
    console.error(`… and ${totals.rejected - totals.errors.length} more`)
  process.exitCode = totals.rejected > 0 ? 1 : 0
}

if (import.meta.main) await runScript(main)

/** `npm run export`: writes the whole database to a file. */
import { existsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { adminCall, serviceFrom } from './service/admin.ts'
import { readCommandLine, refuseCommandLine, runScript, showProgress } from './service/terminal.ts'

const USAGE = `Writes every record of a service to a file that \`npm run import\` reads.

Usage: ADMIN_TOKEN=… npm run export -- FILE [OPTIONS]

  --force     replaces FILE if it exists
  --url URL   the service (default: http://localhost:8787)
  --help      shows this`

async function main(): Promise<void> {
  const options = { url: { type: 'string' }, force: { type: 'boolean', default: false } } as const
  const { values, positionals } = readCommandLine(USAGE, options, true)
  const [file] = positionals
  if (!file) return refuseCommandLine('No file is given.')
  if (existsSync(file) && !values.force) throw new Error(`${file} exists already; --force replaces it.`)

  const answer = await adminCall(serviceFrom(values.url), 'GET', '/admin/export')
  // An existing file is replaced only after the export is complete.
  const partial = `${file}.partial`
  try {
    const records = await write(partial, answer.body ?? [])
    await rename(partial, file)
    showProgress(`${records} records in ${file}`, true)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Writes a new file and returns its number of lines. */
async function write(
  file: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<number> {
  const output = await open(file, 'w')
  let records = 0
  try {
    for await (const chunk of chunks) {
      await output.write(chunk)
      for (const byte of chunk) if (byte === 0x0a) records++
      showProgress(`${records} records`)
    }
  } finally {
    await output.close()
  }
  return records
}

await runScript(main)

/** `npm run export`: writes the whole database to a file, or to a folder as a backup. */
import { existsSync } from 'node:fs'
import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { BACKUP_FILE } from '../src/admin/backups/schema.ts'
import { formatDateTime } from '../src/fields/values.ts'
import { ERASED } from './backup/erased.ts'
import { writeBackup } from './backup/folder.ts'
import { readErased, readVersion } from './backup/service.ts'
import { type Service, serviceFrom } from './service/admin.ts'
import { exportParts } from './service/export-parts.ts'
import { readCommandLine, refuseCommandLine, runScript, showProgress } from './service/terminal.ts'

const USAGE = `Writes every record of a service to a file that \`npm run import\` reads, or to a folder for \`npm run restore\`.

Usage: ADMIN_TOKEN=… npm run export -- FILE|FOLDER/ [OPTIONS]

  --force     replaces FILE, or the backup in FOLDER, if it exists
  --url URL   the service (default: http://localhost:8787)
  --help      shows this`

async function main(): Promise<void> {
  const options = { url: { type: 'string' }, force: { type: 'boolean', default: false } } as const
  const { values, positionals } = readCommandLine(USAGE, options, true)
  const [path] = positionals
  if (!path) return refuseCommandLine('No file is given.')
  const isFolder = path.endsWith('/') || (existsSync(path) && (await stat(path)).isDirectory())
  const service = serviceFrom(values.url)
  const records = await (isFolder ? exportFolder : exportFile)(service, path, values.force)
  showProgress(`${records} records in ${path}`, true)
}

async function exportFile(service: Service, file: string, force: boolean): Promise<number> {
  if (existsSync(file) && !force) throw new Error(`${file} exists already; --force replaces it.`)
  // An existing file is replaced only after the export is complete.
  const partial = `${file}.partial`
  try {
    const records = await write(partial, exportParts(service))
    await rename(partial, file)
    return records
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

/** Writes a new file and returns its number of lines. */
async function write(file: string, texts: AsyncIterable<Buffer>): Promise<number> {
  const output = await open(file, 'w')
  let records = 0
  try {
    for await (const text of texts) {
      await output.writeFile(text)
      for (const byte of text) if (byte === 0x0a) records++
      showProgress(`${records} records`)
    }
  } finally {
    await output.close()
  }
  return records
}

async function exportFolder(service: Service, folder: string, force: boolean): Promise<number> {
  const files = existsSync(folder) ? await readdir(folder) : []
  if (files.length > 0 && !force)
    throw new Error(`${folder} is not empty; --force replaces the backup in it.`)
  // The manifest first: what is left of a backup is none.
  const old = [...files.filter((name) => BACKUP_FILE.test(name)), ERASED].toSorted()
  for (const file of old) await rm(join(folder, file), { force: true })
  const { erased_until, erased_position } = await readErased(service)
  const made = {
    name: formatDateTime(new Date()).slice(0, 10),
    version: await readVersion(service),
    ...{ erased_until, erased_position },
  }
  const records = await writeBackup(folder, made, exportParts(service), (lines) => {
    showProgress(`${lines} records`)
  })
  // Read behind the records, so that it has whoever was erased meanwhile.
  const { erased } = await readErased(service)
  await writeFile(join(folder, ERASED), JSON.stringify(erased))
  return records
}

await runScript(main)

/** What a service says of its backups, and a copy of the latest. */
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ErasedContact } from '../../src/admin/backups/schema.ts'
import { adminCall, type Service } from '../service/admin.ts'
import { ERASED } from './erased.ts'
import { manifestOfFolder } from './folder.ts'

/** Returns the folder of the backup, below `folder`. The list of the erased lies beside it, if the bucket has one. */
export async function fetchLatest(
  service: Service,
  folder: string,
  onProgress: (done: number, total: number) => void,
): Promise<string> {
  const [latest] = await read<unknown[]>(service, '/admin/backups')
  if (latest === undefined) throw new Error('The service has no whole backup.')
  // Its names become paths.
  const { data } = manifestOfFolder.safeParse(latest)
  if (!data) throw new Error('What the service says of its latest backup is not the manifest of one.')
  const { name, parts } = data
  await mkdir(join(folder, name), { recursive: true })
  for (const [index, file] of ['manifest.json', ...parts.map((part) => part.name)].entries()) {
    const { body } = await adminCall(service, 'GET', `/admin/backups/${name}/files/${file}`)
    await pipeline(Readable.from(body ?? []), createWriteStream(join(folder, name, file)))
    onProgress(index, parts.length)
  }
  const { erased, date_stored } = await readErased(service)
  if (date_stored !== null) await writeFile(join(folder, ERASED), JSON.stringify(erased))
  return join(folder, name)
}

/** The contacts that a service has erased, and when its bucket was last told. */
export function readErased(
  service: Service,
): Promise<{ erased: ErasedContact[]; date_stored: string | null }> {
  return read(service, '/admin/backups/erased')
}

/** The version of a service. */
export async function readVersion(service: Service): Promise<string> {
  return (await read<{ version: string }>(service, '/health')).version
}

/** Notes that a backup was restored. */
export async function noteRestored(service: Service, name: string): Promise<void> {
  await adminCall(service, 'POST', `/admin/backups/${name}/tried`)
}

async function read<T>(service: Service, path: string): Promise<T> {
  const { data } = (await (await adminCall(service, 'GET', path)).json()) as { data: T }
  return data
}

/** What a service says of its backups and of a restore, and a copy of a backup. */
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ErasedContact } from '../../src/admin/erasure/list.ts'
import { adminCall, adminData, type Service } from '../service/admin.ts'
import { ERASED } from './erased.ts'
import { type Manifest, manifestOfFolder } from './folder.ts'

/**
 * Copies the backup of this name, or the latest one, and returns its folder, below `folder`. The list of the erased lies beside
 * it, if the bucket has one.
 */
export async function fetchBackup(
  service: Service,
  folder: string,
  wanted: string | null,
  onProgress: (done: number, total: number) => void,
): Promise<string> {
  const backups = await adminData<{ name?: unknown }[]>(service, 'GET', '/admin/backups')
  const found = wanted === null ? backups[0] : backups.find(({ name }) => name === wanted)
  if (found === undefined)
    throw new Error(
      wanted === null ? 'The service has no whole backup.' : `The service has no backup ${wanted}.`,
    )
  // Its names become paths.
  const { data } = manifestOfFolder.safeParse(found)
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

/** The contacts that a service has erased, when its bucket was last written, and up to where an export has them as erased. */
export function readErased(
  service: Service,
): Promise<
  { erased: ErasedContact[]; date_stored: string | null } & Pick<Manifest, 'erased_until' | 'erased_position'>
> {
  return adminData(service, 'GET', '/admin/backups/erased')
}

/** The name of the backup that a service is being restored from; null if it is not. */
export async function readRestoring(service: Service): Promise<string | null> {
  const { restoring } = await adminData<{ restoring?: { backup: string } | null }>(
    service,
    'GET',
    '/admin/stats',
  )
  return restoring?.backup ?? null
}

/** Marks a service as being restored, and keeps the ids of erased records from being given again. */
export async function beginRestore(
  service: Service,
  backup: { name: string; digest: string },
  above: { resource: string; id: number }[],
): Promise<void> {
  const { name, digest } = backup
  await adminCall(service, 'PUT', '/admin/restore', JSON.stringify({ backup: name, digest, above }))
}

/** Removes the mark. It is gone already if an answer was lost. */
export async function endRestore(service: Service): Promise<void> {
  await unlessMissing(adminCall(service, 'DELETE', '/admin/restore'))
}

/** The version of a service. */
export async function readVersion(service: Service): Promise<string> {
  return (await adminData<{ version: string }>(service, 'GET', '/health')).version
}

/** Notes that a backup was restored, if it is one of the service. */
export async function noteRestored(service: Service, name: string): Promise<void> {
  await unlessMissing(adminCall(service, 'POST', `/admin/backups/${name}/tried`))
}

async function unlessMissing(calling: Promise<unknown>): Promise<void> {
  await calling.catch((error: unknown) => {
    if (!(error instanceof Error && / 404 .* not found$/.test(error.message))) throw error
  })
}

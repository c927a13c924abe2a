/**
 * Backups in the bucket `BACKUPS`. Each is a folder named after its day: parts, each a gzip of NDJSON, and `manifest.json`,
 * which is written last. Without it there is no backup. What else the bucket holds is left alone.
 */
import { isDate } from '../../fields/values.ts'
import { notFound } from '../../http/errors.ts'
import { describeFailure, log } from '../../http/log.ts'
import { type Manifest, manifest } from './schema.ts'

/** Whole backups that are kept; the latest whole one is always among them. */
const KEPT_BACKUPS = 30
/** Folders that are deleted in one run, and the files of each that are listed at once. */
const MAX_REMOVED = 10
const PAGE = 1000
/** Folders that are looked at. */
const MAX_FOLDERS = 1000
/** Manifests that are read at once. */
const AT_ONCE = 6

const MANIFEST = 'manifest.json'

/** The bucket. Throws 404 if none is bound. */
export function requireBucket({ BACKUPS }: Env): R2Bucket {
  if (!BACKUPS) throw notFound('Bucket of backups')
  return BACKUPS
}

/** Keys of the bucket. */
export const keyOf = {
  folder: (name: string) => `${name}/`,
  manifest: (name: string) => `${name}/${MANIFEST}`,
  part: (name: string, number: number) => `${name}/part-${String(number).padStart(3, '0')}.ndjson.gz`,
}

/** The whole backups, the latest first. What is no manifest is left out. */
export async function listBackups(bucket: R2Bucket): Promise<Manifest[]> {
  const names = await listFolders(bucket)
  const found: Manifest[] = []
  for (let start = 0; start < names.length; start += AT_ONCE) {
    const some = names.slice(start, start + AT_ONCE)
    const read = await Promise.all(some.map((name) => readManifest(bucket, name)))
    found.push(...read.filter((one) => one !== null))
  }
  return found
}

async function readManifest(bucket: R2Bucket, name: string): Promise<Manifest | null> {
  const object = await bucket.get(keyOf.manifest(name))
  if (!object) return null
  const { data } = manifest.safeParse(await object.json().catch(() => null))
  if (data?.name === name) return data
  log('error', { work: 'backups', backup: name, error: `${MANIFEST} cannot be read` })
  return null
}

/** Deletes whole backups beyond those that are kept, and unfinished ones other than `current`. */
export async function removeOldBackups(bucket: R2Bucket, current: readonly string[]): Promise<number> {
  let [whole, removed] = [0, 0]
  for (const name of await listFolders(bucket)) {
    if (current.includes(name)) continue
    const isWhole = (await bucket.head(keyOf.manifest(name))) !== null
    if (isWhole) whole++
    if (isWhole && whole <= KEPT_BACKUPS) continue
    if (removed === MAX_REMOVED) break
    try {
      await removeBackup(bucket, name)
      removed++
    } catch (error) {
      // A lock of the bucket may still hold it.
      log('error', { work: 'backups', backup: name, ...describeFailure(error) })
    }
  }
  return removed
}

/** Deletes a backup, its manifest first: what is left of it is none. */
export async function removeBackup(bucket: R2Bucket, name: string): Promise<void> {
  await bucket.delete(keyOf.manifest(name))
  for (;;) {
    const { objects, truncated } = await bucket.list({ prefix: keyOf.folder(name), limit: PAGE })
    if (objects.length > 0) await bucket.delete(objects.map(({ key }) => key))
    if (!truncated) return
  }
}

/** The names of the folders that may be backups, the latest first. */
async function listFolders(bucket: R2Bucket): Promise<string[]> {
  const names: string[] = []
  for (let cursor: string | undefined; names.length < MAX_FOLDERS; ) {
    const listed = await bucket.list({ delimiter: '/', limit: PAGE, ...(cursor ? { cursor } : {}) })
    names.push(...listed.delimitedPrefixes.map((prefix) => prefix.slice(0, -1)).filter(isDate))
    if (!listed.truncated) break
    cursor = listed.cursor
  }
  return names.toSorted((a, b) => b.localeCompare(a))
}

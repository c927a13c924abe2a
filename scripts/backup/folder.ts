/**
 * A backup in a folder, as the service puts it into its bucket: parts, each a gzip of NDJSON, and `manifest.json`, which is
 * written last. Or a file with the same lines, gzip or not.
 */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { createGunzip, gzipSync } from 'node:zlib'
import type { z } from 'zod'
import { manifest } from '../../src/admin/backups/schema.ts'
import { splitLines } from '../service/import-requests.ts'

const MANIFEST = 'manifest.json'
/** What a gzip begins with. */
const GZIP = Buffer.from([0x1f, 0x8b])

/** What is said of a backup; one that the service has made says more. */
export const manifestOfFolder = manifest.pick({
  name: true,
  version: true,
  erased_until: true,
  erased_position: true,
  counts: true,
  parts: true,
})
export type Manifest = z.output<typeof manifestOfFolder>

/** A backup that can be read. */
export interface Backup {
  path: string
  /** Null for a single file. */
  manifest: Manifest | null
  files: string[]
  /** SHA-256 of the manifest, or of the file: other backups may have its name. */
  digest: string
}

/** Opens a folder or a file. Throws if the folder is no backup. */
export async function openBackup(path: string): Promise<Backup> {
  if (!(await stat(path)).isDirectory())
    return { path, manifest: null, files: [path], digest: await digestOf(path) }
  const text = await readFile(join(path, MANIFEST), 'utf8').catch(() => null)
  if (text === null) throw new Error(`${path} has no ${MANIFEST}: it is no backup, or was not finished.`)
  const { data } = manifestOfFolder.safeParse(parseJson(text))
  if (!data) throw new Error(`${join(path, MANIFEST)} is not the manifest of a backup.`)
  const files = data.parts.map(({ name }) => join(path, name))
  return { path, manifest: data, files, digest: await digestOf(join(path, MANIFEST)) }
}

/** The value of a JSON text; undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return
  }
}

/** Throws unless each part has the digest that the manifest names. */
export async function verifyParts({ path, manifest }: Backup): Promise<void> {
  for (const { name, sha256 } of manifest?.parts ?? []) {
    if ((await digestOf(join(path, name))) === sha256) continue
    throw new Error(`${join(path, name)} is damaged: its SHA-256 is not the one in ${MANIFEST}.`)
  }
}

/** The SHA-256 of a file, in hexadecimal. */
async function digestOf(file: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const bytes of createReadStream(file)) hash.update(bytes)
  return hash.digest('hex')
}

/** Throws unless the parts have as many lines of each entity as the manifest says. */
export function verifyCounts({ path, manifest }: Backup, counts: Manifest['counts']): void {
  if (!manifest) return
  for (const entity of new Set([...Object.keys(manifest.counts), ...Object.keys(counts)])) {
    const [said, found] = [manifest.counts[entity] ?? 0, counts[entity] ?? 0]
    if (said === found) continue
    throw new Error(`${path} has ${found} lines of ${entity}, but ${MANIFEST} says ${said}.`)
  }
}

/** The lines of a backup. */
export async function* linesOf({ files }: Backup): AsyncGenerator<Buffer> {
  for (const file of files) yield* splitLines(await bytesOf(file))
}

async function bytesOf(file: string): Promise<AsyncIterable<Uint8Array>> {
  const handle = await open(file)
  const { buffer } = await handle.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0)
  await handle.close()
  const raw = createReadStream(file)
  // An error of either is thrown where the last one is read.
  return buffer.equals(GZIP) ? pipeline(raw, createGunzip(), () => undefined) : raw
}

/** Writes a backup. The folder must not hold another one. Returns its number of lines. */
export async function writeBackup(
  folder: string,
  about: Pick<Manifest, 'name' | 'version' | 'erased_until' | 'erased_position'>,
  texts: AsyncIterable<Buffer>,
  onProgress: (lines: number) => void,
): Promise<number> {
  await mkdir(folder, { recursive: true })
  const [parts, counts]: [Manifest['parts'], Manifest['counts']] = [[], {}]
  let total = 0
  for await (const text of texts) {
    const file = `part-${String(parts.length + 1).padStart(3, '0')}.ndjson.gz`
    const bytes = gzipSync(text)
    await writeFile(join(folder, file), bytes)
    const lines = countLines(text, counts)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    parts.push({ name: file, bytes: bytes.length, sha256, lines })
    total += lines
    onProgress(total)
  }
  const made: Manifest = { ...about, counts, parts }
  await writeFile(join(folder, MANIFEST), JSON.stringify(made, null, 2))
  return total
}

/** Adds the lines of a text to `counts`, by entity. Returns their number. */
function countLines(text: Buffer, counts: Manifest['counts']): number {
  let lines = 0
  for (let start = 0; start < text.length; lines++) {
    const entity = entityOf(text.subarray(start, start + 100))
    counts[entity] = (counts[entity] ?? 0) + 1
    start = text.indexOf('\n', start) + 1
  }
  return lines
}

/** The entity of a line, by how it begins. */
export function entityOf(line: Buffer): string {
  return /^\{"entity":"(\w+)"/.exec(line.toString('latin1', 0, 100))?.[1] ?? '?'
}

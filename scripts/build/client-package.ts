/**
 * Packs the typed client into `public/client.tgz`, so that `npm install https://…/client.tgz` installs the client that
 * fits a deployment. Its version contains the version of the API and a hash of the OpenAPI document. The same source
 * gives the same bytes, so a lock file stays valid until the client changes.
 */
import { createHash } from 'node:crypto'
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createTar } from 'nanotar'
import { openApiDocument } from './document.ts'

const TARGET = 'public/client.tgz'
/** The hash of the sources of `TARGET`. */
const MADE_OF = 'build/client.sha256'
/** Sources of the client besides the document. The lock file represents the build tools. */
const SOURCES = ['src/client/*', 'scripts/build/client*.ts', 'docs/client.md', 'LICENSE', 'package*.json']

/** File attributes as `npm pack` sets them, so that the bytes do not depend on time and user. */
const ATTRIBUTES = { mtime: Date.parse('1985-10-26T08:15:00Z'), uid: 0, gid: 0, mode: '644' }
/** Position of the operating system in a gzip header, and the value for "unknown". */
const [SYSTEM, ANY] = [9, 255]

/** Packs the client, unless it exists and its sources have not changed. */
export async function buildClientPackage(): Promise<void> {
  const document = await openApiDocument()
  const sources = await hashSources(document)
  const madeOf = await readFile(MADE_OF, 'utf8').catch(() => '')
  const there = await readFile(TARGET).catch(() => '')
  if (madeOf === `${sources} ${sha256(there)}\n`) return
  await Promise.all(['build', 'public'].map((folder) => mkdir(folder, { recursive: true })))
  // Other processes may build at the same time, and readers must never see a partial package.
  const folder = await mkdtemp('build/client-')
  try {
    const made = await packClient(join(folder, 'client'), document)
    await writeFile(join(folder, 'client.tgz'), made)
    await rename(join(folder, 'client.tgz'), TARGET)
    await writeFile(MADE_OF, `${sources} ${sha256(made)}\n`)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** The version of the client for a contract: `0.2.1-c5b0c21d94f7e`. */
export function versionOf(document: string): string {
  const { info } = JSON.parse(document) as { info: { version: string } }
  return `${info.version}-c${sha256(document).slice(0, 12)}`
}

/** Builds the client in `folder` and returns the bytes of its package. */
export async function packClient(folder: string, document: string): Promise<Uint8Array> {
  // Loaded on demand: the compiler takes a second to load and is rarely needed.
  const { buildClient } = await import('./client.ts')
  await buildClient(folder, versionOf(document))
  const files = await Promise.all(
    (await readdir(folder)).toSorted().map(async (name) => ({
      name: `package/${name}`,
      data: await readFile(join(folder, name)),
    })),
  )
  const packed = gzipSync(createTar(files, { attrs: ATTRIBUTES }), { level: 9 })
  packed[SYSTEM] = ANY
  return packed
}

async function hashSources(document: string): Promise<string> {
  // The order of files is not stable. A different order only causes another build.
  const parts = [document]
  for await (const name of glob(SOURCES)) parts.push(`${name} ${sha256(await readFile(name))}`)
  return sha256(parts.join('\n'))
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

if (import.meta.main) await buildClientPackage()

/**
 * Packs the typed client into `public/client.tgz`, so that `npm install https://…/client.tgz` gives whoever calls a
 * deployment the client that fits it. Its version tells the contract: that of the API, and what the OpenAPI document
 * hashes to. The same source gives the same bytes, so a lock file stays good until the client is another.
 */
import { createHash } from 'node:crypto'
import { glob, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { createTar } from 'nanotar'
import { openApiDocument } from './document.ts'

const TARGET = 'public/client.tgz'
/** Of what `TARGET` was made. */
const MADE_OF = 'build/client.sha256'
/** What the client is made of besides the document; the lock file stands for the tools that make it. */
const SOURCES = ['src/client/*', 'scripts/build/client*.ts', 'docs/client.md', 'LICENSE', 'package*.json']

/** As `npm pack` has them, whenever and by whomever it is run. */
const ATTRIBUTES = { mtime: Date.parse('1985-10-26T08:15:00Z'), uid: 0, gid: 0, mode: '644' }
/** Where a gzip header says on which system it was made, and what stands for any. */
const [SYSTEM, ANY] = [9, 255]

/** Packs the client anew unless it is there and nothing that it is made of has changed. */
export async function buildClientPackage(): Promise<void> {
  const document = await openApiDocument()
  const sources = await hashSources(document)
  const madeOf = await readFile(MADE_OF, 'utf8').catch(() => '')
  const there = await readFile(TARGET).catch(() => '')
  if (madeOf === `${sources} ${sha256(there)}\n`) return
  await Promise.all(['build', 'public'].map((folder) => mkdir(folder, { recursive: true })))
  // Others may be at it in the same moment, and nobody shall read half a package.
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

/** The version of the client that fits the contract: `0.2.1-c5b0c21d94f7e`. */
export function versionOf(document: string): string {
  const { info } = JSON.parse(document) as { info: { version: string } }
  return `${info.version}-c${sha256(document).slice(0, 12)}`
}

/** The bytes of the package; `folder` is where it is built. */
export async function packClient(folder: string, document: string): Promise<Uint8Array> {
  // The compiler takes a second to load, and is seldom needed.
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
  // Another order would only mean to pack once more.
  const parts = [document]
  for await (const name of glob(SOURCES)) parts.push(`${name} ${sha256(await readFile(name))}`)
  return sha256(parts.join('\n'))
}

const sha256 = (content: string | Uint8Array) => createHash('sha256').update(content).digest('hex')

if (import.meta.main) await buildClientPackage()

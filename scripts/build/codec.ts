/** Compiles the photo codec from AssemblyScript to `build/photos.wasm`, with the types of what it exports beside it. */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const SOURCES = 'src/photos/codec'
const MODULE = 'build/photos.wasm'
const TYPES = 'build/photos.d.ts'
const COMPILER = 'node_modules/assemblyscript/bin/asc.js'

/** No runtime, as the codec has its own arena; vector instructions; AssemblyScript's checks of its own arrays off. */
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'bulk-memory']

/** Writes `photos.d.ts`, and a `photos.js` that nobody needs. */
const TYPED = ['--bindings', 'raw']

/** Compiles unless module and types are newer than their sources. Throws the compiler's errors and warnings. */
export async function buildCodec(): Promise<void> {
  if (await isUpToDate()) return
  await mkdir('build', { recursive: true })
  // Others may be at it in the same moment, and nobody shall read half a module.
  const folder = await mkdtemp('build/codec-')
  const parameters = [
    COMPILER,
    `${SOURCES}/index.ts`,
    ...OPTIONS,
    ...TYPED,
    '--outFile',
    `${folder}/photos.wasm`,
  ]
  try {
    const { stderr } = await promisify(execFile)(process.execPath, parameters)
    if (stderr.trim() !== '') throw new Error(stderr)
    await rename(`${folder}/photos.d.ts`, TYPES)
    await rename(`${folder}/photos.wasm`, MODULE)
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function isUpToDate(): Promise<boolean> {
  const files = await readdir(SOURCES)
  const sources = [...files.map((file) => `${SOURCES}/${file}`), import.meta.filename, COMPILER]
  const [made, changed] = await Promise.all([
    Promise.all([MODULE, TYPES].map(age)),
    Promise.all(sources.map(age)),
  ])
  return Math.min(...made) > Math.max(...changed)
}

/** Time of the last change; 0 when there is no such file. */
async function age(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.mtimeMs ?? 0
}

if (import.meta.main) await buildCodec()

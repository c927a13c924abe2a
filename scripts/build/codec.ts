/** Compiles the photo codec from AssemblyScript to `build/photos.wasm`. */

import { execFile } from 'node:child_process'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { promisify } from 'node:util'

const SOURCES = 'src/photos/codec'
const OUTPUT = 'build/photos.wasm'
const COMPILER = 'node_modules/assemblyscript/bin/asc.js'

/** No runtime, as the codec has its own arena; vector instructions; AssemblyScript's checks of its own arrays off. */
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'bulk-memory']

/** Compiles unless the module is newer than its sources. Throws the compiler's errors and warnings. */
export async function buildCodec(): Promise<void> {
  if (await isUpToDate()) return
  await mkdir('build', { recursive: true })
  // Others may be at it in the same moment, and nobody shall read half a module.
  const own = `build/photos-${process.pid}.wasm`
  const parameters = [COMPILER, `${SOURCES}/index.ts`, ...OPTIONS, '--outFile', own]
  try {
    const { stderr } = await promisify(execFile)(process.execPath, parameters)
    if (stderr.trim() !== '') throw new Error(stderr)
    await rename(own, OUTPUT)
  } finally {
    await rm(own, { force: true })
  }
}

async function isUpToDate(): Promise<boolean> {
  const built = await stat(OUTPUT).catch(() => null)
  if (!built) return false
  const files = await readdir(SOURCES)
  const times = await Promise.all(
    [...files.map((file) => `${SOURCES}/${file}`), import.meta.filename, COMPILER].map(
      async (path) => (await stat(path)).mtimeMs,
    ),
  )
  return Math.max(...times) < built.mtimeMs
}

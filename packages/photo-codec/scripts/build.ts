/**
 * `npm run build`: compiles the codec from AssemblyScript to `build/codec.wasm`, with the types of what it exports beside
 * it, unless they are newer than their sources.
 */

import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { promisify } from 'node:util'

const PACKAGE = join(import.meta.dirname, '..')
const SOURCES = 'src/assembly'
const MODULE = 'build/codec.wasm'
const TYPES = 'build/codec.d.ts'
const COMPILER = createRequire(import.meta.url).resolve('assemblyscript/bin/asc.js')

/** No runtime, as the codec has its own arena; vector instructions; AssemblyScript's checks of its own arrays off. */
const OPTIONS = ['-O3', '--noAssert', '--runtime', 'stub', '--enable', 'simd', '--enable', 'bulk-memory']

/** Writes `codec.d.ts`, and a `codec.js` that nobody needs. */
const TYPED = ['--bindings', 'raw']

if (!(await isUpToDate())) await compile()

/** Throws the compiler's errors and warnings. */
async function compile(): Promise<void> {
  await mkdir(join(PACKAGE, 'build'), { recursive: true })
  // Others may compile at the same moment, and nobody shall read half a module.
  const folder = await mkdtemp(join(PACKAGE, 'build/new-'))
  const output = ['--outFile', join(relative(PACKAGE, folder), 'codec.wasm')]
  const parameters = [COMPILER, `${SOURCES}/index.ts`, ...OPTIONS, ...TYPED, ...output]
  try {
    const { stderr } = await promisify(execFile)(process.execPath, parameters, { cwd: PACKAGE }).catch(
      (failure: { stderr: string }) => failure,
    )
    if (stderr.trim() !== '') throw new Error(stderr)
    await rename(join(folder, 'codec.d.ts'), join(PACKAGE, TYPES))
    await rename(join(folder, 'codec.wasm'), join(PACKAGE, MODULE))
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function isUpToDate(): Promise<boolean> {
  const files = await readdir(join(PACKAGE, SOURCES))
  const sources = [...files.map((file) => join(SOURCES, file)), import.meta.filename, COMPILER]
  const [made, changed] = await Promise.all([
    Promise.all([MODULE, TYPES].map(timeOf)),
    Promise.all(sources.map(timeOf)),
  ])
  return Math.min(...made) > Math.max(...changed)
}

/** Time of the last change of a file of this package; 0 when there is no such file. */
async function timeOf(path: string): Promise<number> {
  const found = await stat(resolve(PACKAGE, path)).catch(() => null)
  return found?.mtimeMs ?? 0
}

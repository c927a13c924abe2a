/**
 * Bundles script and style of the tours' page into `public/viewer/`. The file names never change, so browsers
 * revalidate their copy on every visit.
 */
import { glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'

const SOURCE = 'src/tours/viewer'
const TARGET = 'public/viewer'
/** Written last, so its time is not before that of the other files. */
const LICENSES = `${TARGET}/licenses.txt`
const LIBRARIES = ['@photo-sphere-viewer/core', 'three']

/** Makes the files if their sources, their libraries or this script have changed. */
export async function buildViewer(): Promise<void> {
  if (await isFresh()) return
  await build({
    entryPoints: { tours: `${SOURCE}/viewer.ts` },
    outdir: TARGET,
    bundle: true,
    minify: true,
    format: 'iife',
    target: ['es2022', 'safari16'],
    legalComments: 'none',
    // Otherwise the library stores a note in the visitor's browser, and fails in frames without storage.
    define: { localStorage: '{}' },
    logLevel: 'warning',
  })
  const texts = await Promise.all(
    LIBRARIES.map(async (name) => `${name}\n\n${await readFile(`node_modules/${name}/LICENSE`, 'utf8')}`),
  )
  await mkdir(TARGET, { recursive: true })
  await writeFile(LICENSES, texts.join('\n\n'))
}

async function isFresh(): Promise<boolean> {
  const sources = ['package-lock.json', 'scripts/build/tours.ts']
  for await (const source of glob(`${SOURCE}/*`)) sources.push(source)
  const made = await Promise.all(
    ['tours.js', 'tours.css', 'licenses.txt'].map((name) => age(`${TARGET}/${name}`)),
  )
  return Math.min(...made) > Math.max(...(await Promise.all(sources.map(age))))
}

/** Time of the last change in ms; 0 if the file does not exist. */
async function age(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.mtimeMs ?? 0
}

if (import.meta.main) await buildViewer()

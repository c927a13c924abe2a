/** Bundles script and style of the tours' page into `public/viewer/`. */
import { readFile, writeFile } from 'node:fs/promises'
import { bundle } from './bundle.ts'

const SOURCE = 'src/tours/viewer'
const TARGET = 'public/viewer'
/** Written last, so its time is not before that of the other files. */
const LICENSES = `${TARGET}/licenses.txt`
const LIBRARIES = ['@photo-sphere-viewer/core', 'three']

/** Makes the files if their sources, their libraries or this script have changed. */
export async function buildViewer(): Promise<void> {
  const targets = [`${TARGET}/tours.js`, `${TARGET}/tours.css`, LICENSES]
  const isNew = await bundle(['scripts/build/tours.ts', `${SOURCE}/*`], targets, {
    entryPoints: { tours: `${SOURCE}/viewer.ts` },
    outdir: TARGET,
    format: 'iife',
    // Otherwise the library stores a note in the visitor's browser, and fails in frames without storage.
    define: { localStorage: '{}' },
  })
  if (!isNew) return
  const texts = await Promise.all(
    LIBRARIES.map(async (name) => `${name}\n\n${await readFile(`node_modules/${name}/LICENSE`, 'utf8')}`),
  )
  await writeFile(LICENSES, texts.join('\n\n'))
}

if (import.meta.main) await buildViewer()

/**
 * Bundles the script and the style of the tours' page into `public/viewer/`. The names stay the same: browsers
 * ask with every visit whether their copy is still good.
 */
import { glob, mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { build } from 'esbuild'

const SOURCE = 'src/tours/viewer'
const TARGET = 'public/viewer'
/** Made last, so its age tells the age of all. */
const LICENSES = `${TARGET}/licenses.txt`
const LIBRARIES = ['@photo-sphere-viewer/core', 'three']

/** Makes the files anew when their sources, their libraries or this script have changed. */
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
    // The library would leave a note in the visitor's browser, and fail in frames that have no storage.
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

/** Time of the last change; 0 when there is no such file. */
async function age(path: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  return found?.mtimeMs ?? 0
}

if (import.meta.main) await buildViewer()

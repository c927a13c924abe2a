/** Bundles the console's scripts into `public/console/`, beside its page and style. */
import { copyFile, mkdir } from 'node:fs/promises'
import { bundle } from './bundle.ts'

const SOURCE = 'src/console'
const TARGET = 'public/console'

/** Makes the files if their sources, their libraries or this script have changed. */
export async function buildConsole(): Promise<void> {
  await mkdir(TARGET, { recursive: true })
  for (const name of ['console.html', 'console.css'])
    await copyFile(`${SOURCE}/page/${name}`, `${TARGET}/${name}`)
  const sources = [
    ...['scripts/build/console.ts', `${SOURCE}/app/**/*`],
    ...['src/catalogue/*.ts', 'src/fields/*.ts', 'src/db/fold.ts', 'src/admin/transfer/csv/*.ts'],
  ]
  const options = {
    outdir: TARGET,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'hono/jsx/dom',
  } as const
  // What a view imports when it is opened, `imports.js`, shares `chunk.js` with the console.
  await bundle(sources, [`${TARGET}/console.js`], {
    ...options,
    entryPoints: { console: `${SOURCE}/app/main.tsx` },
    splitting: true,
    chunkNames: '[name]',
  })
  // The reading of tables is large, and loaded when one is chosen.
  await bundle(sources, [`${TARGET}/csv.js`], { ...options, entryPoints: { csv: `${SOURCE}/app/csv.ts` } })
}

if (import.meta.main) await buildConsole()

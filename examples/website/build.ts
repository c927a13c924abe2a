/** Makes `public/`: the script and the style of the map, and the files that are served as they are. */
import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const at = (name: string) => join(import.meta.dirname, name)

await rm(at('public'), { recursive: true, force: true })
await mkdir(at('public'), { recursive: true })
await cp(at('static'), at('public'), { recursive: true })
await build({
  entryPoints: [at('browser/map.ts')],
  outdir: at('public'),
  bundle: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'safari16'],
  // Pictures of the markers and controls that Leaflet's style names; the website draws its own.
  loader: { '.png': 'dataurl' },
  logLevel: 'warning',
})

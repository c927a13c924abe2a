/** Makes `public/`: the script and the style of the map, and the files that are served as they are. */
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'

const at = (name: string) => join(import.meta.dirname, name)

// The folder itself stays: a running `wrangler dev` serves and watches it.
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

/** A Worker of this package in workerd, bundled as wrangler bundles it. */
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

/** The folder with the bundle of a Worker. The caller removes it. */
export async function buildBundle(entry: string): Promise<string> {
  const outdir = mkdtempSync(join(tmpdir(), 'photo-codec-bench-'))
  await build({
    entryPoints: [entry],
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2024',
    external: ['node:*'],
    loader: { '.wasm': 'copy' },
  })
  return outdir
}

/** Starts a bundle. */
export function startBundle(folder: string): Miniflare {
  const modules = readdirSync(folder)
    .toSorted((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js')))
    .map((file) => ({
      type: file.endsWith('.wasm') ? ('CompiledWasm' as const) : ('ESModule' as const),
      path: join(folder, file),
    }))
  return new Miniflare(
    convertV4MiniflareOptions({
      handleStructuredLogs: () => undefined,
      modules,
      modulesRoot: folder,
      compatibilityDate: '2026-08-15',
    }),
  )
}

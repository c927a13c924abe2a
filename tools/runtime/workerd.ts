/** Workers of this repository in workerd, bundled as they are deployed. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

/** The folder with the bundle of a Worker; without an entry, of the API itself. The caller removes it. */
export function buildBundle(...entry: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'estia-bench-'))
  execFileSync('wrangler', ['deploy', ...entry, '--dry-run', '--outdir', folder], { stdio: 'pipe' })
  return folder
}

/** Starts a bundle; `settings` are its bindings, as Miniflare names them. */
export function startBundle(bundle: string, settings: Record<string, unknown> = {}): Miniflare {
  const modules = readdirSync(bundle)
    .filter((file) => file.endsWith('.js') || file.endsWith('.wasm'))
    .toSorted((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js')))
    .map((file) => ({
      type: file.endsWith('.wasm') ? ('CompiledWasm' as const) : ('ESModule' as const),
      path: join(bundle, file),
    }))
  return new Miniflare(
    convertV4MiniflareOptions({
      handleStructuredLogs: () => undefined,
      modules,
      modulesRoot: bundle,
      compatibilityDate: '2026-08-15',
      ...settings,
    }),
  )
}

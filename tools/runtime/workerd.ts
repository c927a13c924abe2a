/** Workers of this repository in workerd, bundled as they are deployed. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'

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

/** Ids of the workerd processes that this process has started, which only Linux reports. */
export function workerdProcesses(): number[] {
  const children = `/proc/self/task/${process.pid}/children`
  const own = existsSync(children) ? readFileSync(children, 'utf8').trim().split(' ') : []
  return own
    .map(Number)
    .filter((pid) => pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('workerd'))
}

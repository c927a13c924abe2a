/** Bundles of Workers, as they are deployed. */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, renameSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Names a folder that keeps bundles, for programs that run while no source changes. */
export const KEPT_BUNDLES = 'ESTIA_BUNDLES'

/** The folder with the bundle of a Worker; without an entry, of the API itself. The caller removes it. */
export function buildBundle(...entry: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'estia-bench-'))
  const keptIn = process.env[KEPT_BUNDLES]
  const kept = keptIn && join(keptIn, entry.join().replace(/\W/g, '-') || 'api')
  if (kept && existsSync(kept)) cpSync(kept, folder, { recursive: true })
  else build(folder, entry)
  if (kept && !existsSync(kept)) keep(folder, kept)
  return folder
}

function build(folder: string, entry: string[]): void {
  execFileSync('wrangler', ['deploy', ...entry, '--dry-run', '--outdir', folder], { stdio: 'pipe' })
}

/** Copies a bundle; others never see half of it. */
function keep(bundle: string, place: string): void {
  const copy = mkdtempSync(`${place}-`)
  cpSync(bundle, copy, { recursive: true })
  try {
    renameSync(copy, place)
  } catch (error) {
    // Another program has kept the same bundle meanwhile. The copy goes with the folder of all.
    if (!existsSync(place)) throw error
  }
}

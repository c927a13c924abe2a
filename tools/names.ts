/**
 * `npm run names`: exported names that several files declare, each for a thing of its own. A reader who searches for
 * one finds the others.
 */
import { parseArgs } from 'node:util'
import { exportedNames, readSources } from './names/scan.ts'

/** What every resource has under the same name, as its role is the same. */
const ROLES = new Set(['findPage', 'selectFound', 'readFound', 'referencesOf', 'resolveLine'])

const { positionals } = parseArgs({ allowPositionals: true })
const places = new Map<string, string[]>()
for (const source of readSources(
  positionals.length > 0 ? positionals : ['src', 'tools', 'scripts', 'demo'],
)) {
  for (const { name, line } of exportedNames(source)) {
    if (!ROLES.has(name)) places.set(name, [...(places.get(name) ?? []), `${source.path}:${line}`])
  }
}

const shared = [...places].filter(([, files]) => files.length > 1)
for (const [name, files] of shared.toSorted(([a], [b]) => a.localeCompare(b))) {
  console.log(`${name}\n  ${files.join('\n  ')}`)
}
console.log(`${shared.length} names are exported by several files`)

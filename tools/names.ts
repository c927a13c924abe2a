/**
 * `npm run names`: lists exported names that several files declare for different things. A search for one of them also
 * finds the others.
 */
import { parseArgs } from 'node:util'
import { exportedNames, readSources } from './names/scan.ts'

/** Names that every resource may share, because their role is the same. */
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

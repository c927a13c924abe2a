/**
 * The package changes seldom, and its tests take minutes. So `passed.txt` has the hash of the files that passed them, and
 * the tests run with all others only where the files have another. `npm test` here always runs them, and renews the hash.
 */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '..')
const PASSED = 'passed.txt'
/** Made from the other files, or by npm. */
const MADE = /^(build|node_modules)(\/|$)|^passed\.txt$/

/** Hash of the paths and contents of all files of the package at `folder`, as hexadecimal SHA-256. */
export function hashOfFiles(folder = PACKAGE): string {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !MADE.test(path))
    .toSorted()
  const hash = createHash('sha256')
  for (const path of files) {
    const bytes = readFileSync(join(folder, path))
    hash.update(`${path}\n${bytes.length}\n`).update(bytes)
  }
  return hash.digest('hex')
}

/** Whether the package at `folder` differs from the one that last passed its tests. */
export function hasChanged(folder = PACKAGE): boolean {
  return readFileSync(join(folder, PASSED), 'utf8').trim() !== hashOfFiles(folder)
}

if (import.meta.main) writeFileSync(join(PACKAGE, PASSED), `${hashOfFiles()}\n`)

/** Which tests belong to files that changed. Every test in workerd imports the whole service, so imports alone do not say. */
import { dirname, join, posix } from 'node:path'

/** Run whenever the service changed: they look at every endpoint. */
const ALWAYS = ['test/conventions.test.ts', 'test/node/contract.test.ts']
/** Run when something changed that every resource uses: one plain resource, errors, and every record once around. */
const SMOKE = ['test/http/errors.test.ts', 'test/resources/contacts/', 'test/resources/round-trip.test.ts']
const GUIDES = ['test/docs.test.ts', 'test/tools/guide-types.test.ts', 'test/tools/guides.test.ts']

/** Hashes and examples that are made of the code: they say that something else changed, and have tests of their own. */
const GENERATED = /^src\/.+\.json$/

/** What changed, and the tests that belong to it besides those of the same folder and name. */
const BELONGS: [changed: RegExp, tests: string[]][] = [
  [/^src\//, ALWAYS],
  [
    /^src\/(catalogue|db\/tables)\//,
    ['test/resources/listings/public/leak.test.ts', 'test/resources/listings/public/read.test.ts'],
  ],
  [/^src\/(http|fields|net|catalogue|db)\/|^src\/\w+\.ts$/, SMOKE],
  [
    /^(package(-lock)?|tsconfig)\.json$|^(vitest|drizzle)\.config\.ts$|^wrangler\.toml$/,
    [...ALWAYS, ...SMOKE],
  ],
  [/^test\/support\//, [...ALWAYS, ...SMOKE]],
  [GENERATED, ['test/node/forms.test.ts', 'test/node/openapi-lint.test.ts']],
  [/^migrations\//, [...ALWAYS, 'test/migrations.test.ts', 'test/db/', 'test/resources/changes/']],
  [/^(README\.md|docs\/[\w-]+\.md)$/, GUIDES],
  [/^CHANGELOG\.md$|^test\/(contract|released)\.json$/, ['test/node/versioning.test.ts', ...ALWAYS]],
  [/^packages\/photo-codec\//, ['packages/photo-codec/test/', 'test/photos/']],
  [/^examples\//, ['test/tools/mirror.test.ts', 'test/tools/guides.test.ts']],
]

/** Helpers that nearly every test imports; `BELONGS` has their tests. */
const SHARED = /^test\/support\//
/** How a test file says that it is slow: a tag of Vitest, declared in its configuration. */
export const SLOW = /^(\/\/| \*) @module-tag slow$/m
const IMPORT = /\bfrom '(\.[^']+)'|\bimport\('(\.[^']+)'\)/g

export interface Selection {
  run: string[]
  /** Tests that belong to the change, and are left to `npm run check:all`. */
  slow: string[]
}

/**
 * Selects the tests of `changed` files. A slow one is run only where it changed.
 * @param files the text of every test, and of everything in TypeScript that tests share, by path
 */
export function selectTests(changed: string[], files: Map<string, string>): Selection {
  const tests = [...files.keys()].filter(isTest).filter((test) => !test.startsWith('test/browser/'))
  const written = changed.filter((file) => !GENERATED.test(file))
  const near = new Set(written.flatMap((file) => neighbours(file, tests)))
  const shared = changed.flatMap((file) => BELONGS.flatMap(([what, which]) => (what.test(file) ? which : [])))
  const importing = importersOf(written, files)
  const belong = tests.filter(
    (test) =>
      changed.includes(test) ||
      near.has(test) ||
      importing.has(test) ||
      shared.some((which) => test === which || (which.endsWith('/') && test.startsWith(which))),
  )
  const isSlow = (test: string) => SLOW.test(files.get(test) ?? '') && !changed.includes(test)
  return { run: belong.filter((test) => !isSlow(test)), slow: belong.filter(isSlow) }
}

const isTest = (file: string) => /^(packages\/[\w-]+\/)?test\/.+\.test\.ts$/.test(file)

/** `src/admin/webhooks/send.ts` is mirrored by the deepest of `test/admin/webhooks/`, `test/admin/`, that has tests. */
function mirrorOf(file: string, tests: string[]): string | null {
  if (!/^src\/.+\//.test(file)) return null
  let folder = `${dirname(file).replace(/^src\//, 'test/')}/`
  while (folder !== 'test/' && !tests.some((test) => test.startsWith(folder)))
    folder = `${posix.dirname(folder)}/`
  return folder === 'test/' ? null : folder
}

/** The tests in the folder that mirrors the one of `file`, or of the resource whose fields or table it declares. */
function neighbours(file: string, tests: string[]): string[] {
  const [, name] = /^src\/(?:catalogue|db\/tables)\/([\w-]+?)s?\.ts$/.exec(file) ?? []
  // What lies deeper, such as searches and pictures, mirrors code of its own.
  if (name)
    return tests.filter((test) => [name, `${name}s`].includes(dirname(test).replace('test/resources/', '')))
  const folder = mirrorOf(file, tests)
  return tests.filter((test) => folder !== null && test.startsWith(folder))
}

/** The tests that import one of `changed`, themselves or by way of what tests share. */
function importersOf(changed: string[], files: Map<string, string>): Set<string> {
  const importers = new Map<string, string[]>()
  for (const [file, text] of files) {
    for (const [, one, other = ''] of text.matchAll(IMPORT)) {
      const imported = join(dirname(file), one ?? other)
      importers.set(imported, [...(importers.get(imported) ?? []), file])
    }
  }
  const found = new Set<string>()
  const left = changed.filter((file) => !SHARED.test(file))
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    for (const importer of importers.get(file) ?? []) {
      if (found.has(importer) || SHARED.test(importer)) continue
      found.add(importer)
      left.push(importer)
    }
  }
  return found
}

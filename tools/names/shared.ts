/** Exported names that several files declare. A search for one finds the others, so each needs a reason. */
import { exportedNames, readSources } from './scan.ts'

/** Names that may be shared, by the reason. */
const REASONS: { reason: string; files: RegExp; names?: string[] }[] = [
  {
    reason: 'A step that every resource has',
    files: /^src\/resources\/[\w-]+\/\w+\.ts$/,
    names: ['checkCustomFields', 'checkLocation', 'findPage', 'readLookups', 'selectLookups'],
  },
  {
    reason: 'A kind of field has the name of the value that it is made of',
    files: /^src\/fields\/(?:kinds|values|money)\.ts$/,
  },
  {
    reason: 'A noun of the agency: its fields, its table, its replies, its lines',
    files: /^src\/(?:catalogue|db\/tables|resources\/[\w-]+|admin\/transfer\/entities)\/[\w-]+\.ts$/,
    names: [
      'article',
      'category',
      'contact',
      'contract',
      'contractStatus',
      'expense',
      'income',
      'locations',
      'offer',
      'place',
      'record',
    ],
  },
  { reason: 'The client is a package of its own', files: /^src\/(?:client|http|openapi)\/[\w/-]+\.ts$/ },
  { reason: 'The benchmark compares the service with its double', files: /^(?:src|tools\/bench\/ruler)\// },
  { reason: 'Runs in the browser, apart from the service', files: /^src\/tours\// },
]

export interface SharedName {
  name: string
  /** `path:line` of each declaration. */
  places: string[]
  /** Null if there is none. */
  reason: string | null
}

/** The names that more than one file in `folders` exports, in alphabetical order. */
export function sharedNames(folders = ['src', 'tools', 'scripts', 'demo']): SharedName[] {
  const byName = new Map<string, { path: string; line: number }[]>()
  for (const source of readSources(folders)) {
    for (const { name, line } of exportedNames(source)) {
      byName.set(name, [...(byName.get(name) ?? []), { path: source.path, line }])
    }
  }
  return [...byName]
    .filter(([, places]) => places.length > 1)
    .map(([name, places]) => ({
      name,
      places: places.map(({ path, line }) => `${path}:${line}`),
      reason: reasonFor(
        name,
        places.map(({ path }) => path),
      ),
    }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

function reasonFor(name: string, paths: string[]): string | null {
  const found = REASONS.find(
    ({ files, names }) => (names?.includes(name) ?? true) && paths.every((path) => files.test(path)),
  )
  return found?.reason ?? null
}

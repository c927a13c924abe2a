import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

interface Form {
  /** What the code makes. */
  what: string
  /** The hash of the code, below `src`. */
  file: string
  /** The modules that make it, below `src`. */
  entries: string[]
  /** Some of the modules that these use. */
  used: string[]
}

const root = join(import.meta.dirname, '../..')

const PRESENTING = readdirSync(join(root, 'src/resources'), { recursive: true, encoding: 'utf8' })
  .filter(
    (file) => /\/(present|queries|resource|compact|visitors)\.ts$/.test(file) && !file.startsWith('changes/'),
  )
  .toSorted()
  .map((file) => `resources/${file.replace(/\.ts$/, '')}`)

const SEARCH = ['bits', 'columns', 'fields', 'geometry', 'word-index', 'words']

const FORMS: Form[] = [
  {
    // They have entity tags, URLs in the cache of answers to visitors, and documents of listings.
    what: 'replies',
    file: 'http/concurrency/representations.json',
    entries: PRESENTING,
    used: [
      ...['listings', 'contacts', 'requests', 'knowledge-base'].map((name) => `resources/${name}/present`),
      ...['offers/resource', 'incomes/resource', 'plain/resource', 'plain/parts'].map(
        (name) => `resources/${name}`,
      ),
      ...['documents/compact', 'queries', 'pictures/present', 'address/public-address'].map(
        (name) => `resources/listings/${name}`,
      ),
      ...['visitors', 'public/present', 'public/queries', 'search/matching'].map(
        (name) => `resources/listings/${name}`,
      ),
      ...['catalogue/listing', 'resources/lookups/visitors'],
    ],
  },
  {
    what: 'feeds',
    file: 'feeds/form.json',
    entries: ['feeds/formats'],
    used: [
      ...['feeds/kyero/property', 'feeds/xml'],
      ...['plain-text', 'present', 'walk'].map((name) => `resources/listings/public/${name}`),
      ...['shared-index', 'matching', 'words'].map((name) => `resources/listings/search/${name}`),
    ],
  },
  {
    what: 'calendars',
    file: 'feeds/calendars/form.json',
    entries: ['feeds/calendars/events'],
    used: ['event', 'icalendar', 'vtimezone'].map((name) => `resources/appointments/${name}`),
  },
  {
    // The triggers that store what visitors see, which is in portions as well, write no change of a listing when they change.
    what: 'portions',
    file: 'resources/listings/search/form.json',
    entries: ['search/listing-index', 'search/portion-format', 'public/shown'].map(
      (name) => `resources/listings/${name}`,
    ),
    used: [
      ...SEARCH.map((name) => `resources/listings/search/${name}`),
      ...['catalogue/listing', 'catalogue/features', 'db/fold', 'resources/listings/address/elot743'],
    ],
  },
  ...[
    ...['lookups/place-text', 'contacts/search', 'enquiries/search', 'people/keys'],
    ...['knowledge-base/title', 'activities/search'],
  ].map((entry) => ({
    what: `texts of ${entry}`,
    file: `resources/${entry.split('/')[0]}/form.json`,
    entries: [`resources/${entry}`],
    used: ['db/fold'],
  })),
]

/** Other code makes other values of what is stored or kept, which are known by a hash of that code. */
it.each(FORMS)('$what: `npx vitest run --project node -u` renews $file', async ({ file, entries, used }) => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: {
      contents: entries.map((name) => `export * from './${name}.ts'`).join('\n'),
      resolveDir: join(root, 'src'),
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    packages: 'external',
    // The hashes themselves, which would be others each time.
    external: ['*/representations.json', '*/form.json'],
    // Comments and layout change nothing.
    minifyWhitespace: true,
    write: false,
    metafile: true,
  })
  const sources = Object.keys(metafile.inputs)
  for (const name of [...entries, ...used]) expect(sources).toContain(`src/${name}.ts`)
  const hash = createHash('sha256')
    .update(outputFiles[0]?.text ?? '')
    .digest('hex')
  await expect(`${JSON.stringify(hash.slice(0, 12))}\n`).toMatchFileSnapshot(join(root, 'src', file))
})

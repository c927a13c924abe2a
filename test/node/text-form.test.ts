import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

interface Derived {
  /** The folder of `form.json` below `src/resources`. */
  folder: string
  /** The modules that make what is stored. */
  entries: string[]
  /** Some of the modules that these use. */
  used: string[]
}

const DERIVED: Derived[] = [
  {
    folder: 'listings/search',
    // The triggers that store what visitors see, which is in portions as well, write no change of a listing when they change.
    entries: ['search/listing-index', 'search/portion-format', 'public/shown'].map(
      (name) => `listings/${name}`,
    ),
    used: [
      ...['bits', 'columns', 'fields', 'geometry', 'word-index', 'words'].map(
        (name) => `resources/listings/search/${name}`,
      ),
      ...['catalogue/listing', 'catalogue/features', 'db/fold', 'resources/listings/address/elot743'],
    ],
  },
  { folder: 'lookups', entries: ['lookups/place-text'], used: ['db/fold'] },
  { folder: 'contacts', entries: ['contacts/search'], used: ['db/fold'] },
  { folder: 'knowledge-base', entries: ['knowledge-base/title'], used: ['db/fold'] },
]

/**
 * Other code derives other values from what is stored, so that all of them are made again. `form.json` is a hash of that
 * code. `npx vitest run --project node -u` renews it.
 */
it.each(DERIVED)(
  'the code of $folder that derives what is stored is named anew whenever it changes',
  async ({ folder, entries, used }) => {
    const root = join(import.meta.dirname, '../..')
    const { outputFiles, metafile } = await build({
      absWorkingDir: root,
      stdin: {
        contents: entries.map((name) => `export * from './${name}.ts'`).join('\n'),
        resolveDir: join(root, 'src/resources'),
        loader: 'ts',
      },
      bundle: true,
      format: 'esm',
      packages: 'external',
      // Comments and layout change nothing.
      minifyWhitespace: true,
      write: false,
      metafile: true,
    })
    const sources = Object.keys(metafile.inputs)
    for (const name of [...entries.map((entry) => `resources/${entry}`), ...used])
      expect(sources).toContain(`src/${name}.ts`)
    const text = outputFiles[0]?.text ?? ''
    // It would be another one each time.
    expect(sources.filter((name) => name.endsWith('form.json'))).toEqual([])
    const hash = createHash('sha256').update(text).digest('hex')
    await expect(`${JSON.stringify(hash.slice(0, 12))}\n`).toMatchFileSnapshot(
      `../../src/resources/${folder}/form.json`,
    )
  },
)

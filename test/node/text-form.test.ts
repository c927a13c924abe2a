import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/**
 * Other code makes other texts for searching, so that all stored ones are made again. `form.json` is a hash of that code.
 * `npx vitest run --project node -u` renews it.
 */
it.each([
  ['listings/text', 'words', ['db/fold', 'resources/listings/address/elot743']],
  ['contacts', 'search', ['db/fold']],
  ['knowledge-base', 'title', ['db/fold']],
])(
  'the code that makes stored texts of %s is named anew whenever it changes',
  async (folder, module, used) => {
    const { outputFiles, metafile } = await build({
      absWorkingDir: join(import.meta.dirname, '../..'),
      entryPoints: [`src/resources/${folder}/${module}.ts`],
      bundle: true,
      format: 'esm',
      packages: 'external',
      // Comments and layout change nothing.
      minifyWhitespace: true,
      write: false,
      metafile: true,
    })
    const sources = Object.keys(metafile.inputs)
    for (const name of used) expect(sources).toContain(`src/${name}.ts`)
    const text = outputFiles[0]?.text ?? ''
    // It would be another one each time.
    expect(text).not.toContain('form.json')
    const hash = createHash('sha256').update(text).digest('hex')
    await expect(`${JSON.stringify(hash.slice(0, 12))}\n`).toMatchFileSnapshot(
      `../../src/resources/${folder}/form.json`,
    )
  },
)

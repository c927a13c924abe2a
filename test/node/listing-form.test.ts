import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/**
 * Documents of listings that other code made must not be served: `form.json` names the code that makes them. Renewed by
 * `npm test -- -u`.
 */
it('has a form of its own for whatever presents a listing', async () => {
  const root = join(import.meta.dirname, '../..')
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { compactListing } from './compact.ts'; export { selectListings } from './queries.ts'`,
      resolveDir: join(root, 'src/resources/listings'),
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
  expect(sources).toContain('src/catalogue/listing.ts')
  expect(sources).toContain('src/resources/listings/public-address.ts')
  const hash = createHash('sha256')
    .update(outputFiles[0]?.text ?? '')
    .digest('hex')
  await expect(`${JSON.stringify(hash.slice(0, 12))}\n`).toMatchFileSnapshot(
    '../../src/resources/listings/form.json',
  )
})

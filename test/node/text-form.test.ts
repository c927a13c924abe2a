import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/**
 * Other code makes other words of listings, so that all stored ones are made again. `form.json` is a hash of that code.
 * `npx vitest run --project node -u` renews it.
 */
it('is named anew whenever the code changes that makes words', async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: join(import.meta.dirname, '../..'),
    entryPoints: ['src/resources/listings/text/words.ts'],
    bundle: true,
    format: 'esm',
    packages: 'external',
    // Comments and layout change nothing.
    minifyWhitespace: true,
    write: false,
    metafile: true,
  })
  const sources = Object.keys(metafile.inputs)
  expect(sources).toContain('src/db/fold.ts')
  expect(sources).toContain('src/resources/listings/address/elot743.ts')
  const text = outputFiles[0]?.text ?? ''
  // It would be another one each time.
  expect(text).not.toContain('form.json')
  const hash = createHash('sha256').update(text).digest('hex')
  await expect(`${JSON.stringify(hash.slice(0, 12))}\n`).toMatchFileSnapshot(
    '../../src/resources/listings/text/form.json',
  )
})

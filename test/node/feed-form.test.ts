import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/**
 * Other code makes other feeds, which need other entity tags. `form.json` is a hash of that code.
 * `npx vitest run --project node -u` renews it.
 */
it('is named anew whenever the code changes that makes feeds', async () => {
  const { outputFiles, metafile } = await build({
    absWorkingDir: join(import.meta.dirname, '../..'),
    stdin: {
      contents: "export * from './formats.ts'",
      resolveDir: join(import.meta.dirname, '../../src/feeds'),
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    packages: 'external',
    // It would be another one each time.
    external: ['*/representations.json', '*/form.json'],
    // Comments and layout change nothing.
    minifyWhitespace: true,
    write: false,
    metafile: true,
  })
  const sources = Object.keys(metafile.inputs)
  for (const name of [
    'feeds/kyero/property',
    'feeds/xml',
    'resources/listings/public/plain-text',
    'resources/listings/public/present',
    'resources/listings/public/walk',
    'resources/listings/search/engine',
    'resources/listings/search/matching',
    'resources/listings/search/words',
  ])
    expect(sources).toContain(`src/${name}.ts`)
  const hash = createHash('sha256')
    .update(outputFiles[0]?.text ?? '')
    .digest('hex')
  await expect(`${JSON.stringify(hash.slice(0, 12))}\n`).toMatchFileSnapshot('../../src/feeds/form.json')
})

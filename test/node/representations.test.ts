import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { expect, it } from 'vitest'

/**
 * Other code makes other responses, which need other entity tags, other documents of listings, and other URLs in the cache of
 * answers to visitors. `representations.json` is a hash of that code. `npx vitest run --project node -u` renews it.
 */
it('is named anew whenever the code changes that presents a record', async () => {
  const root = join(import.meta.dirname, '../..')
  const files = await readdir(join(root, 'src/resources'), { recursive: true })
  const modules = files
    .filter((file) => /\/(present|queries|compact|visitors)\.ts$/.test(file) && !file.startsWith('changes/'))
    .toSorted()
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: {
      contents: modules.map((file) => `export * from './${file}'`).join('\n'),
      resolveDir: join(root, 'src/resources'),
      loader: 'ts',
    },
    bundle: true,
    format: 'esm',
    packages: 'external',
    // The hash itself, which would be another one each time, and those of what is stored.
    external: ['*/representations.json', '*/form.json'],
    // Comments and layout change nothing.
    minifyWhitespace: true,
    write: false,
    metafile: true,
  })
  const sources = Object.keys(metafile.inputs)
  for (const name of ['listings', 'contacts', 'requests', 'offers', 'incomes', 'knowledge-base']) {
    expect(sources).toContain(`src/resources/${name}/present.ts`)
  }
  // What a listing's document is made of.
  for (const name of ['documents/compact', 'queries', 'pictures/present', 'address/public-address']) {
    expect(sources).toContain(`src/resources/listings/${name}.ts`)
  }
  expect(sources).toContain('src/catalogue/listing.ts')
  // What visitors see: their readers and presenters.
  for (const name of ['visitors', 'public/present', 'public/queries', 'search/matching']) {
    expect(sources).toContain(`src/resources/listings/${name}.ts`)
  }
  expect(sources).toContain('src/resources/lookups/visitors.ts')
  const text = outputFiles[0]?.text ?? ''
  const hash = createHash('sha256').update(text).digest('hex')
  await expect(`${JSON.stringify(hash.slice(0, 12))}\n`).toMatchFileSnapshot(
    '../../src/http/concurrency/representations.json',
  )
})

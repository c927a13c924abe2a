// @module-tag slow
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { seeded } from '../../fixtures/random.ts'
import { samplesOf } from '../../fixtures/samples.ts'
import { damaged } from '../../fuzz/damage.ts'
import { outcomeOf, USES } from '../../fuzz/outcome.ts'
import { FORMATS, type FormatName } from '../../fuzz/parts.ts'
import { compare } from './compare.ts'

const SAMPLES = Object.keys(FORMATS).flatMap((folder) => samplesOf(folder))
/** Damaged files of each sample. */
const DAMAGED = 40

/** Where sharp is no judge: it has black where a GIF shows no frame, and grows no canvas. */
const OTHERWISE =
  /gif.*(beyond-canvas|outside|frame)|jpeg.(411|422|cmyk|four|progressive-cmyk|restarts-444|table-without|wide-q|ycck)|png.(9x1|profile)/

it.each(SAMPLES.filter(({ name }) => !OTHERWISE.test(name)))(
  'looks as it does to sharp: $name',
  async ({ name, bytes }) => {
    const { line, isLike } = await compare(name, bytes)
    expect(isLike, line).toBe(true)
  },
)

/** What became of a sample in every use, and of damaged ones: digests that change with any byte of the results. */
function record({ name, bytes }: (typeof SAMPLES)[number]): string {
  const sound = USES.map((use) => `${use} ${outcomeOf(bytes, use).detail}`)
  const [folder] = name.split('/') as [FormatName]
  const others = samplesOf(folder)
  const random = seeded(crc32(name))
  let digest = 0
  let rendered = 0
  for (let i = 0; i < DAMAGED; i++) {
    const file = damaged(bytes, FORMATS[folder], random, () => random.pick(others).bytes)
    const { kind, detail, stack } = outcomeOf(file, random.pick(USES))
    expect(['rendered', 'refused'], `${detail}\n${stack}`).toContain(kind)
    if (kind === 'rendered') rendered += 1
    digest = crc32(detail, digest)
  }
  return `${name}: ${sound.join(', ')}\n  damaged: ${rendered} of ${DAMAGED} rendered ${digest.toString(16)}`
}

// A change is meant or it is a mistake. If it is meant, and looks right above, `npx vitest run -u` writes it down.
it.each(Object.keys(FORMATS))('comes out the same to the last bit, sound or damaged: %s', async (folder) => {
  const own = SAMPLES.filter(({ name }) => name.startsWith(folder))
  await expect(`${own.map(record).join('\n')}\n`).toMatchFileSnapshot(`../../samples/outcomes/${folder}.txt`)
})

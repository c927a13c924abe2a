// @module-tag slow
import { crc32 } from 'node:zlib'
import { expect, it } from 'vitest'
import { seeded } from '../../fixtures/random.ts'
import { samplesOf } from '../../fixtures/samples.ts'
import { damaged } from '../../fuzz/damage.ts'
import { outcomeOf, USES } from '../../fuzz/outcome.ts'
import { FORMATS, type Format } from '../../fuzz/parts.ts'
import { compare } from './compare.ts'

const FOLDERS = ['jpeg', 'png', 'gif', 'webp']
const SAMPLES = FOLDERS.flatMap(samplesOf)
/** Damaged files of each sample, and which: `DAMAGED=1000 SEED=7 npm run fuzz` tries others. */
const [USUAL, DAMAGED, SEED] = [40, Number(process.env.DAMAGED ?? 40), Number(process.env.SEED ?? 0)]
/** Longest that a file may be worked on, in milliseconds of the processor; all but a few need a hundredth of it. */
const PATIENCE = 5000

/** Where sharp is no judge. */
const OTHERWISE =
  /jpeg.(411|422|cmyk|four|progressive-cmyk|restarts-444|table-without|wide-q|ycck)|png.(9x1|profile)/

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
  const [folder = ''] = name.split('/')
  const format: Format | undefined = FORMATS[folder as keyof typeof FORMATS]
  const others = samplesOf(folder)
  const random = seeded(crc32(name) ^ SEED)
  let digest = 0
  let rendered = 0
  for (let i = 0; i < DAMAGED; i++) {
    const file = damaged(bytes, format, random, () => random.pick(others).bytes)
    const begun = process.cpuUsage()
    const { kind, detail, stack } = outcomeOf(file, random.pick(USES))
    const { user, system } = process.cpuUsage(begun)
    expect(['rendered', 'refused'], `${name}, damaged ${i}: ${detail}\n${stack}`).toContain(kind)
    expect((user + system) / 1000, `${name}, damaged ${i}`).toBeLessThan(PATIENCE)
    if (kind === 'rendered') rendered += 1
    digest = crc32(detail, digest)
  }
  // None of them has left anything behind.
  expect(USES.map((use) => `${use} ${outcomeOf(bytes, use).detail}`)).toEqual(sound)
  return `${name}: ${sound.join(', ')}\n  damaged: ${rendered} of ${DAMAGED} rendered ${digest.toString(16)}`
}

// A change is meant or it is a mistake. If it is meant, and looks right above, `npx vitest run -u` writes it down.
it.each(FOLDERS)('comes out the same to the last bit, sound or damaged: %s', async (folder) => {
  const own = SAMPLES.filter(({ name }) => name.startsWith(folder))
  const records = `${own.map(record).join('\n')}\n`
  if (DAMAGED !== USUAL || SEED !== 0) return
  await expect(records).toMatchFileSnapshot(`../../samples/outcomes/${folder}.txt`)
})

/**
 * Writes the pictures of the photo tests to files: `npm run corpus -- [FOLDER]`, by default into `build/corpus`.
 * `index.json` says of each what must come of it. Pictures do not change from one run to the next.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { DAMAGED_JPEGS } from '../test/photos/corpus/damaged-jpegs.ts'
import { DAMAGED_OTHERS } from '../test/photos/corpus/damaged-others.ts'
import { DAMAGED_PNGS } from '../test/photos/corpus/damaged-pngs.ts'
import { GIFS } from '../test/photos/corpus/gifs.ts'
import { HOSTILE } from '../test/photos/corpus/hostile.ts'
import { JPEGS } from '../test/photos/corpus/jpegs.ts'
import type { DamagedPicture, SoundPicture } from '../test/photos/corpus/picture.ts'
import { PNGS } from '../test/photos/corpus/pngs.ts'
import { WEBPS } from '../test/photos/corpus/webps.ts'
import { runScript, showProgress } from './service.ts'

/** `accepted` and looking as expected, `refused`, or either, as long as it is soon. */
type Outcome = 'accepted' | 'refused' | 'either'

const GROUPS: readonly [Outcome, readonly (SoundPicture | DamagedPicture)[]][] = [
  ['accepted', [...JPEGS, ...PNGS, ...GIFS, ...WEBPS]],
  ['refused', [...DAMAGED_JPEGS, ...DAMAGED_PNGS, ...DAMAGED_OTHERS]],
  ['either', HOSTILE],
]

async function main(): Promise<void> {
  const { positionals } = parseArgs({ allowPositionals: true })
  const [folder = 'build/corpus'] = positionals
  const pictures = GROUPS.flatMap(([outcome, group]) => group.map((picture) => ({ outcome, picture })))
  const index: unknown[] = []
  for (const { outcome, picture } of pictures) {
    const { name, bytes: make, ...expectations } = picture
    const bytes = await make()
    const file = join(outcome, `${name}.${name.split('/')[0]}`)
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), bytes)
    index.push({ file, outcome, bytes: bytes.length, ...expectations })
    showProgress(`${index.length} of ${pictures.length}: ${file}`)
  }
  await writeFile(join(folder, 'index.json'), `${JSON.stringify(index, null, 2)}\n`)
  showProgress(`${pictures.length} pictures in ${folder}`, true)
}

await runScript(main)

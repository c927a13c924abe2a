/**
 * Test pictures for work on photos: `npm run corpus` writes those of the tests to files. `index.json` contains the
 * expected result of each. Pictures do not change from one run to the next.
 *
 * With `--dir`, it runs pictures through the photo pipeline, as the service would store them, and through sharp. For each
 * it prints which of them refuses it, its size, how near the two are in dB, and the largest difference between means of
 * 8 × 8 pixels. The last two are also given for a JPEG by sharp.
 */
import { mkdir, opendir, readFile, stat, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { readCommandLine, runCommand, showProgress } from '../scripts/terminal.ts'
import { DAMAGED_JPEGS } from './damaged-jpegs.ts'
import { DAMAGED_OTHERS } from './damaged-others.ts'
import { DAMAGED_PNGS } from './damaged-pngs.ts'
import { GIFS } from './gifs.ts'
import { HOSTILE } from './hostile.ts'
import { JPEGS } from './jpegs.ts'
import { LINEAR } from './linear.ts'
import type { DamagedPicture, SoundPicture } from './picture.ts'
import { PNGS } from './pngs.ts'
import { WEBPS } from './webps.ts'

/** `accepted` and looking as expected, `refused`, or either, as long as it is soon. */
type Outcome = 'accepted' | 'refused' | 'either'

const GROUPS: readonly [Outcome, readonly (SoundPicture | DamagedPicture)[]][] = [
  ['accepted', [...JPEGS, ...PNGS, ...GIFS, ...WEBPS, ...LINEAR]],
  ['refused', [...DAMAGED_JPEGS, ...DAMAGED_PNGS, ...DAMAGED_OTHERS]],
  ['either', HOSTILE],
]

/** How deep folders are looked into, how many files are, and how long one may be, in bytes. */
const MAX_DEPTH = 20
const MAX_FILES = 1_000_000
const MAX_FILE_BYTES = 200_000_000

const USAGE = `Writes the test pictures to files, or compares the codec with sharp.

Usage: npm run corpus -- [FOLDER]
       npm run corpus -- --dir FOLDER [--differences]

  FOLDER         where the test pictures go (default: build/corpus)
  --dir FOLDER   runs the pictures in this folder and its subfolders through the codec and sharp
  --differences  prints only those on which the two disagree
  --help         shows this`

async function main(): Promise<void> {
  const options = { dir: { type: 'string' }, differences: { type: 'boolean', default: false } } as const
  const { positionals, values } = readCommandLine(USAGE, options, true)
  if (values.dir !== undefined) return compareFolder(values.dir, values.differences)
  const [folder = 'build/corpus'] = positionals
  await writePictures(folder)
}

async function writePictures(folder: string): Promise<void> {
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

/** Compares every picture of a folder with what sharp makes of it. */
async function compareFolder(folder: string, onlyDifferences: boolean): Promise<void> {
  const { compare } = await import('./compare.ts')
  const { detectType, isPhotoType } = await import('../src/detect.ts')
  const counts = new Map<string, number>()
  const differing: string[] = []
  let seen = 0
  for await (const path of filesIn(folder, MAX_DEPTH)) {
    seen += 1
    if (seen > MAX_FILES) throw new Error(`More than ${MAX_FILES} files`)
    const name = relative(folder, path)
    showProgress(`${seen}: ${name}`)
    const { size } = await stat(path)
    const file = size <= MAX_FILE_BYTES ? new Uint8Array(await readFile(path)) : null
    if (!file || !isPhotoType(detectType(file))) {
      count(counts, 'no picture')
      continue
    }
    const { line, differs } = await compare(name, file)
    count(counts, differs ?? 'agreed')
    if (differs) differing.push(`${differs}: ${line}`)
    if (!onlyDifferences) showProgress(line, true)
  }
  showProgress(`\n${differing.length} differences`, true)
  for (const line of differing) console.log(line)
  console.log(`\n${[...counts].map(([kind, times]) => `${kind}: ${times}`).join(', ')}`)
}

function count(counts: Map<string, number>, kind: string): void {
  counts.set(kind, (counts.get(kind) ?? 0) + 1)
}

/** The files of a folder and of those below it, in the order of the system; links are not followed. */
async function* filesIn(folder: string, depth: number): AsyncGenerator<string> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name)
    if (entry.isFile()) yield path
    else if (entry.isDirectory() && depth > 0) yield* filesIn(path, depth - 1)
  }
}

await runCommand(main)

/**
 * Pictures through the photo pipeline, as the service would store them, and through sharp: `npm run corpus -- FOLDER`. For
 * each it prints which of them refuses it, its size, how near the two are in dB, and the largest difference between means
 * of 8 × 8 pixels. The last two are also given for a JPEG by sharp.
 */
import { opendir, readFile, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { readCommandLine, runCommand, showProgress } from '../scripts/terminal.ts'
import '../scripts/wasm-hook.ts'

const { compare } = await import('./compare.ts')
const { detectType, isPhotoType } = await import('../src/detect.ts')

/** How deep folders are looked into, how many files are, and how long one may be, in bytes. */
const MAX_DEPTH = 20
const MAX_FILES = 1_000_000
const MAX_FILE_BYTES = 200_000_000

const USAGE = `Compares the codec with sharp.

Usage: npm run corpus -- [FOLDER] [--differences]

  FOLDER         its pictures and those of its subfolders (default: the samples of the codec)
  --differences  prints only those on which the two disagree
  --help         shows this`

async function main(): Promise<void> {
  const options = { differences: { type: 'boolean', default: false } } as const
  const { positionals, values } = readCommandLine(USAGE, options, true)
  const [folder = join(import.meta.dirname, '../samples')] = positionals
  await compareFolder(folder, values.differences)
}

/** Compares every picture of a folder with what sharp makes of it. */
async function compareFolder(folder: string, onlyDifferences: boolean): Promise<void> {
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

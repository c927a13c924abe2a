/**
 * Makes the migration that the code needs: `npm run migrations:generate -- --name WHAT`. drizzle-kit writes the changes
 * of tables; the triggers that code declares, and that have changed, are appended. Of its snapshots of the schema, it
 * compares the code with the newest, and only that one is kept.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { missingTriggers } from './migrations/triggers.ts'
import { readCommandLine } from './service/terminal.ts'

const USAGE = `Makes the migration that the code needs: tables, indexes and triggers.

Usage: npm run migrations:generate -- --name WHAT

  --name WHAT  what changes, such as ceiling_height: a part of the file's name
  --custom     an empty migration, for what is written by hand
  --help       shows this`

const { values: options } = readCommandLine(USAGE, {
  name: { type: 'string', default: 'change' },
  custom: { type: 'boolean', default: false },
})

const FOLDER = join(import.meta.dirname, '../migrations')

const filesNow = () =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => join(FOLDER, file))

/** Runs drizzle-kit, and returns the file that it wrote. */
function generate(isCustom: boolean): string | undefined {
  const before = filesNow().length
  const args = ['drizzle-kit', 'generate', '--name', options.name, ...(isCustom ? ['--custom'] : [])]
  const { status } = spawnSync('npx', args, { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
  return filesNow()[before]
}

const written = generate(options.custom)
const triggers = missingTriggers(filesNow().map((file) => readFileSync(file, 'utf8')))
if (triggers.length > 0) {
  const file = written ?? generate(true)
  if (!file) throw new Error('drizzle-kit wrote no file')
  const text = written && !options.custom ? [readFileSync(file, 'utf8').trim()] : []
  writeFileSync(file, `${[...text, ...triggers].join('\n--> statement-breakpoint\n')}\n`)
  console.log(`${triggers.length} statements for triggers are in ${file}`)
}

const SNAPSHOTS = join(FOLDER, 'meta')
const snapshots = readdirSync(SNAPSHOTS).filter((file) => file.endsWith('_snapshot.json'))
for (const file of snapshots.toSorted().slice(0, -1)) rmSync(join(SNAPSHOTS, file))

/**
 * Types, lint, and the tests that belong to the files changed since `main`, committed or not: `npm run check:fast`. It
 * says which tests it runs and what it leaves out; `npm run check:all` runs them all.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { readCommandLine } from '../scripts/service/terminal.ts'
import { selectTests } from './check-fast/select.ts'

const USAGE = `Checks types, lint and the tests of the files that changed.

Usage: npm run check:fast [-- OPTIONS]

  --since COMMIT  what they changed since (default: the commit where this branch left main)
  --list          only lists the tests
  --help          shows this`

const { values: options } = readCommandLine(USAGE, {
  since: { type: 'string' },
  list: { type: 'boolean', default: false },
})

/** Folders searched for code that tests share. Imports of `src` are useless here, because `app.ts` imports all of it. */
const SHARED = ['test', 'tools', 'scripts', 'demo', 'fixtures', 'examples', 'packages']

/** The lines that git prints; none when it fails. */
function git(...parameters: string[]): string[] {
  try {
    const printed = execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return printed.split('\n').filter(Boolean)
  } catch {
    return []
  }
}

/** Runs a program to its end. Returns whether it succeeded. */
async function succeeds(command: string, ...parameters: string[]): Promise<boolean> {
  const [code] = await once(spawn(command, parameters, { stdio: 'inherit' }), 'exit')
  return code === 0
}

const [base = 'HEAD'] = options.since ? [options.since] : git('merge-base', 'HEAD', 'main')
const untracked = git('ls-files', '--others', '--exclude-standard')
// A renamed file counts as one that went and one that came.
const changed = [...git('diff', '--name-only', '--no-renames', base), ...untracked]
const sources = [...git('ls-files', ...SHARED), ...untracked].filter((file) => file.endsWith('.ts'))
const files = new Map(sources.filter(existsSync).map((file) => [file, readFileSync(file, 'utf8')]))
const { run, slow } = selectTests(changed, files)

const list = (title: string, names: string[]) =>
  names.length > 0 && console.log(`${title}\n${names.map((name) => `  ${name}\n`).join('')}`)
console.log(`${changed.length} files changed since ${base.slice(0, 12)}.`)
list('Tests of them:', run)
list('Left out, as they are slow:', slow)
if (changed.some((file) => /^(src\/(docs|tours)|test\/browser)\//.test(file)))
  list('Left out, as they need Chromium:', ['npm run test:browser'])
console.log('Left out, as nothing of theirs changed: all others. `npm run check:all` runs them.\n')

if (!options.list) {
  const npm = (script: string) => succeeds('npm', 'run', '--silent', script)
  const checks = await Promise.all([npm('types'), npm('lint')])
  if (run.length > 0) checks.push(await succeeds('npx', 'vitest', 'run', ...run))
  process.exitCode = checks.every(Boolean) ? 0 : 1
}

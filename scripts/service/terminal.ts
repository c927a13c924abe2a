/** How scripts read their command line, and what they print. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** The command line as `options` declare it. Ends the process for `--help`, and with 2 for what is not declared. */
export function readCommandLine<O extends Options>(usage: string, options: O) {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    return exitWithUsage(usage, describeError(error))
  }
}

/** Ends the process with 2, for a command line that makes no sense. */
export function exitWithUsage(usage: string, problem: string): never {
  console.error(`${problem}\n\n${usage}`)
  process.exit(2)
}

/** Runs a script's `main`; a failure is printed in one line and ends the process with 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error(describeError(error))
    process.exitCode = 1
  }
}

/** What is wrong with a file, by the code of the system. */
const FILE_PROBLEMS: Record<string, string> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'there is no such file or folder',
  EISDIR: 'it is a folder',
  EACCES: 'this user may not use it',
  EPERM: 'this user may not use it',
  ENOSPC: 'the disk is full',
}

function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code = '', path } = error as NodeJS.ErrnoException
  const problem = FILE_PROBLEMS[code]
  return problem ? `${path ?? 'The file'}: ${problem}.` : error.message
}

/** Between two lines where lines cannot be overwritten. */
const SECONDS_BETWEEN_LINES = 5
let lastLine = Date.now()

/** Overwrites the progress line of a terminal; elsewhere, a line now and then, and the last state. */
export function showProgress(text: string, last = false): void {
  if (process.stdout.isTTY) {
    process.stdout.write(`\r\x1b[K${text}${last ? '\n' : ''}`)
  } else if (last || Date.now() - lastLine >= SECONDS_BETWEEN_LINES * 1000) {
    if (text) console.log(text)
    lastLine = Date.now()
  }
}

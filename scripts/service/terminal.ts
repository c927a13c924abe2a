/** The command line and the terminal output of scripts. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses the command line as `options` declare it. Ends the process for `--help`, and with 2 for unknown options. */
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

/** Ends the process with 2 and shows the usage, for an invalid command line. */
export function exitWithUsage(usage: string, problem: string): never {
  console.error(`${problem}\n\n${usage}`)
  process.exit(2)
}

/** Runs a script's `main`. An error is printed in one line and ends the process with 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error(describeError(error))
    process.exitCode = 1
  }
}

/** What is wrong with a file, by error code of the system. */
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

/** Minimum seconds between progress lines if the output is not a terminal. */
const SECONDS_BETWEEN_LINES = 5
let lastLine = Date.now()

/** Overwrites the progress line of a terminal. In other outputs, prints a line now and then, and the last one. */
export function showProgress(text: string, last = false): void {
  if (process.stdout.isTTY) {
    process.stdout.write(`\r\x1b[K${text}${last ? '\n' : ''}`)
  } else if (last || Date.now() - lastLine >= SECONDS_BETWEEN_LINES * 1000) {
    if (text) console.log(text)
    lastLine = Date.now()
  }
}

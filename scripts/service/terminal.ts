/** The command line and the terminal output of scripts. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/**
 * Parses the command line as `options` declare it. Ends the process for `--help`, and with 2 for what is not declared.
 * Every script calls it before anything else.
 * @param allowPositionals whether there may be more than options
 */
export function readCommandLine<O extends Options>(usage: string, options: O, allowPositionals = false) {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return parseArgs({ options, allowPositionals })
  } catch (error) {
    // Node explains at length how an argument could begin with a dash.
    const [problem = ''] = describeError(error).split(/\.\s|\n/)
    return refuseCommandLine(`${problem}.`)
  }
}

/** Ends the process with 2, for an invalid command line. */
export function refuseCommandLine(problem: string): never {
  console.error(`${problem} --help shows the usage.`)
  process.exit(2)
}

/** Parses the number of the option `name`. Ends the process with 2 if it is none. */
export function readNumber(name: string, text: string): number {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text)
  return refuseCommandLine(`--${name} takes numbers, not "${text}".`)
}

/** Parses the numbers of the option `name`, which are separated by commas. Ends the process with 2 if one is none. */
export function readNumbers(name: string, text: string): number[] {
  return text.split(',').map((one) => readNumber(name, one))
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
  if (problem) return `${path ?? 'The file'}: ${problem}.`
  return error instanceof TypeError && error.cause ? describeUnreachable(error) : error.message
}

/** Why there was no reply. The message of `fetch` says little, so this shows the code of its cause. */
export function describeUnreachable(error: unknown): string {
  const reason = error instanceof Error ? error.cause : null
  const code = reason instanceof Error && 'code' in reason ? ` (${reason.code})` : ''
  return `no answer${code}; does the service run there?`
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

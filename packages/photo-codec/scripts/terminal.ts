/** The command line of this package's programs, and what they print. */
import { type ParseArgsConfig, parseArgs } from 'node:util'

type Options = NonNullable<ParseArgsConfig['options']>

/** Parses the command line. Ends the process for `--help`, and with 2 for what `options` do not declare. */
export function readCommandLine<O extends Options>(usage: string, options: O) {
  if (process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) {
    console.log(usage)
    process.exit(0)
  }
  try {
    return parseArgs({ options })
  } catch (error) {
    const [problem] = error instanceof Error ? error.message.split(/\.\s|\n/) : [String(error)]
    console.error(`${problem}. --help shows the usage.`)
    return process.exit(2)
  }
}

/** Runs a command's `main`; a failure is printed in one line and ends the process with 1. */
export async function runCommand(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error))
    process.exitCode = 1
  }
}

/** Between two lines where lines cannot be overwritten. */
const MS_BETWEEN_LINES = 5_000
let lastLine = Date.now()

/** Overwrites the progress line of a terminal; elsewhere, a line now and then, and the last state. */
export function showProgress(text: string, last = false): void {
  if (process.stdout.isTTY) {
    process.stdout.write(`\r\x1b[K${text}${last ? '\n' : ''}`)
  } else if (last || Date.now() - lastLine >= MS_BETWEEN_LINES) {
    if (text) console.log(text)
    lastLine = Date.now()
  }
}

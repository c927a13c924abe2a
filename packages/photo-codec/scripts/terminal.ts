/** What the commands of this package print. */

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

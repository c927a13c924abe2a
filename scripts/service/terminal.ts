/** What a script tells whoever runs it. */

/** Runs a script's `main`; what fails is told in one line and ends the process with 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
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

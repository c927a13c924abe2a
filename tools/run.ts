/** `npm run tool -- NAME`: runs a tool of this folder with the rest of the command line. */
import { readCommandLine, refuseCommandLine } from '../scripts/service/terminal.ts'

const USAGE = `Runs a tool of developers; each says by --help what it does.

Usage: npm run tool -- NAME [OPTIONS]

  release  stores the promises of the contract for a new version
  --help   shows this`

const [, , name = ''] = process.argv
if (name === '' || name.startsWith('-')) {
  readCommandLine(USAGE, {})
  refuseCommandLine('Which tool?')
}
if (!USAGE.includes(`\n  ${name} `)) refuseCommandLine(`There is no tool ${name}.`)
process.argv.splice(2, 1)
await import(`./${name}.ts`)

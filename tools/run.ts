/** `npm run tool -- NAME` and `npm run bench -- NAME`: runs a tool of this folder with the rest of the command line. */
import { readCommandLine, refuseCommandLine } from '../scripts/service/terminal.ts'

const USAGE = `Runs a tool of developers; each says by --help what it does.

Usage: npm run tool -- NAME [OPTIONS]

  mutations  shows which faults no test would notice
  release    stores the promises of the contract for a new version
  --help     shows this`

const BENCHES = ['memory', 'photos']
const [, , name = '', of = ''] = process.argv
if (name === '' || name.startsWith('-')) {
  readCommandLine(USAGE, {})
  refuseCommandLine('Which tool?')
}
const isBench = name === 'bench' && BENCHES.includes(of)
if (name !== 'bench' && !USAGE.includes(`\n  ${name} `)) refuseCommandLine(`There is no tool ${name}.`)
process.argv.splice(2, isBench ? 2 : 1)
await import(`./${name}${isBench ? `-${of}` : ''}.ts`)

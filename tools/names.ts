/** `npm run names`: lists the names that several files export, each with the reason; exits with 1 if one has none. */
import { readCommandLine } from '../scripts/service/terminal.ts'
import { sharedNames } from './names/shared.ts'

const USAGE = `Lists the names that several files export, each with the reason. Exits with 1 if one has none.

Usage: npm run names [-- FOLDER …]

  --help  shows this`

const { positionals } = readCommandLine(USAGE, {}, true)
const shared = sharedNames(positionals.length > 0 ? positionals : undefined)
const unexplained = shared.filter(({ reason }) => reason === null)
for (const { name, places, reason } of [...shared.filter((one) => one.reason), ...unexplained])
  console.log(`${name}: ${reason ?? 'no reason'}\n  ${places.join('\n  ')}`)
console.log(`${shared.length} names are exported by several files, ${unexplained.length} without a reason`)
process.exitCode = unexplained.length > 0 ? 1 : 0

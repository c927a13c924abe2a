/**
 * `npm run release`: stores the promises of the contract for the version in `src/http/version.ts`. Commit the result,
 * `test/released.json`: from then on the tests compare every change with it.
 */
import { readFile, writeFile } from 'node:fs/promises'
import { readCommandLine } from '../scripts/service/terminal.ts'
import { API_VERSION } from '../src/http/version.ts'
import { promisesOf } from './release/promises.ts'

const USAGE = `Stores the promises of the contract for version ${API_VERSION}, in test/released.json.

Usage: npm run release [-- --help]`

readCommandLine(USAGE, {})
const promises = promisesOf(JSON.parse(await readFile('test/openapi.json', 'utf8')))
await writeFile('test/released.json', `${JSON.stringify({ version: API_VERSION, promises }, null, 1)}\n`)
console.log(`${promises.length} promises of version ${API_VERSION}`)

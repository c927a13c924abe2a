/**
 * `npm run tool -- release`: stores the promises of the contract for the version in `src/http/version.ts`, and its last migration.
 * Commit the result, `test/released.json`: from then on the tests compare every change with it. Then renew
 * `test/contract.json`, which holds what has changed since.
 */
import { readdir, writeFile } from 'node:fs/promises'
import { openApiDocument } from '../scripts/build/document.ts'
import { readCommandLine } from '../scripts/service/terminal.ts'
import { API_VERSION } from '../src/http/version.ts'
import { promisesOf } from './release/promises.ts'

const USAGE = `Stores the promises of the contract for version ${API_VERSION}, and its last migration, in test/released.json.

Usage: npm run tool -- release [--help]`

readCommandLine(USAGE, {})
const promises = promisesOf(JSON.parse(await openApiDocument()))
const migration = (await readdir('migrations'))
  .filter((name) => name.endsWith('.sql'))
  .sort()
  .at(-1)
const released = { version: API_VERSION, migration, promises }
await writeFile('test/released.json', `${JSON.stringify(released, null, 1)}\n`)
console.log(`${promises.length} promises of version ${API_VERSION}`)

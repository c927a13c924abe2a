/** `npm run erase-again`: erases once more whom the list of the erased names, after D1 went back to an earlier moment. */
import { ERASED, eraseAgain } from './backup/erased.ts'
import { readErased } from './backup/service.ts'
import { serviceFrom } from './service/admin.ts'
import { readCommandLine, runScript } from './service/terminal.ts'

const USAGE = `Erases once more whom the list in the bucket of the backups names. For a database that went back to an earlier moment.

Usage: ADMIN_TOKEN=… npm run erase-again [-- --url URL]

  --url URL  the service (default: http://localhost:8787)
  --help     shows this`

async function main(): Promise<void> {
  const { values } = readCommandLine(USAGE, { url: { type: 'string' } })
  const service = serviceFrom(values.url)
  const { erased, date_stored } = await readErased(service)
  // The database itself has forgotten whom it erased since that moment.
  if (date_stored === null) throw new Error(`The service has no ${ERASED} in a bucket of backups.`)
  console.log(`${await eraseAgain(service, erased, null)} contacts erased again.`)
}

await runScript(main)

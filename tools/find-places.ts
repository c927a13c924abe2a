/**
 * Tries to find hidden places over HTTP: `npm run find-places`. Listings of a building, detours, toggles and imports must
 * give visitors the cell of a place, and no more. It fails where they see a second point of a place, or anything that
 * differs between two places of a cell.
 */
import { createApiKey } from '../scripts/service/admin.ts'
import { readCommandLine, readNumber } from '../scripts/service/terminal.ts'
import { findPlaces } from './find-places/find.ts'
import { ADMIN_TOKEN, KEY, startAgency } from './runtime/agency.ts'

const USAGE = `Tries to find hidden places as a visitor, in a service of its own.

Usage: npm run find-places -- [--places N] [--seed N]

  --places N  places for each attack (default: 20)
  --seed N    other places (default: 1)
  --help      shows this`

const { values: options } = readCommandLine(USAGE, {
  places: { type: 'string', default: '20' },
  seed: { type: 'string', default: '1' },
})
const [places, seed] = [readNumber('places', options.places), readNumber('seed', options.seed)]

const service = await startAgency('tools/find-places/worker.ts', 0)
try {
  const admin = { url: service.url.origin, adminToken: ADMIN_TOKEN }
  const { key: visitorKey } = await createApiKey(admin, 'find-places', ['listings:public'])
  const target = { url: service.url, key: KEY, visitorKey, adminToken: ADMIN_TOKEN }
  for (const { attack, points, metres, expected, distinguished } of await findPlaces(target, places, seed)) {
    const guess = `${metres.toFixed(0)} m off, a random place of the cell ${expected.toFixed(0)} m`
    console.log(
      `${attack}: points ${points}, ${guess}; ${distinguished} of ${places} distinguished from another in the cell`,
    )
    if (points > 1 || distinguished > 0) process.exitCode = 1
  }
} finally {
  await service.stop()
}

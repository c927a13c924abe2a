/**
 * Tests that a copy that follows the change feed stays exact: `npm run tool -- mirror`. Writes, deletes and imports at random
 * while `examples/sync-listings.ts` is run and killed. In the end its copy must equal a new read of everything.
 */
import { readCommandLine, readNumber } from '../scripts/service/terminal.ts'
import { keepCopy } from './mirror/keep.ts'
import { startNewcomer } from './mirror/newcomer.ts'
import { RandomWrites } from './mirror/random-writes.ts'
import { ADMIN_TOKEN, KEY, startAgency } from './runtime/agency.ts'

const USAGE = `Tests that a copy that follows the change feed stays exact.

Usage: npm run tool -- mirror [OPTIONS]

  --operations NUMBER  how many writes there are (default: 1000)
  --seeds NUMBER       how often it is tried, each time with other writes (default: 3)
  --help               shows this`

const { values: options } = readCommandLine(USAGE, {
  operations: { type: 'string', default: '1000' },
  seeds: { type: 'string', default: '3' },
})
const operations = readNumber('operations', options.operations)
const SEEDS = readNumber('seeds', options.seeds)

const service = await startAgency(null, 0)
const newcomer = await startNewcomer()
try {
  const target = { url: service.url, key: KEY, adminToken: ADMIN_TOKEN }
  for (let seed = 1; seed <= SEEDS; seed++) {
    const writes = new RandomWrites(target, seed)
    await writes.begin(20)
    const { differences, killed, ended } = await keepCopy(newcomer, target, writes, { operations, seed })
    const runs = `${operations} writes, ${killed} runs killed, ${ended} ended`
    console.log(`Seed ${seed}: ${runs}, ${differences.length === 0 ? 'an exact copy' : 'not the same'}`)
    for (const difference of differences) console.log(`  ${difference}`)
    if (differences.length > 0) process.exitCode = 1
  }
} finally {
  await newcomer.remove()
  await service.stop()
}

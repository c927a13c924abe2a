/**
 * Imports the lines of a call, in a bounded number of calls to D1. Cloudflare ends a call of the service after 1,000, so the
 * import stops before a line that might need more than its own, and says where to go on.
 */
import { Allowance } from '../../db/allowance.ts'
import { type Database, mayCall } from '../../db/client.ts'
import { JoinedReads } from '../../db/joined-reads.ts'
import { type EntityLine, surveyLines } from './dependences.ts'
import type { ReadLine } from './read-lines.ts'
import { Steps } from './steps.ts'
import { CALLS_PER_PORTION, storeStep } from './store-lines.ts'
import { finishWritten, type Written } from './write-lines.ts'

const MAX_CALLS = 300
/** Calls for what follows stored lines, such as matching. */
const CALLS_AFTERWARDS = 50

/** Imports lines in the order of the file, and returns how many it has looked at. */
export async function importLines(called: Database, lines: readonly ReadLine[]): Promise<number> {
  const allowance = new Allowance(MAX_CALLS, { left: 0 })
  const db: Database = { ...called, allowance, joined: new JoinedReads() }
  const written: Written = new Map()
  let done = 0
  while (done < lines.length && mayCall(db, CALLS_AFTERWARDS + CALLS_PER_PORTION + 1)) {
    const rest = lines.slice(done)
    const readable = rest.flatMap(({ read }) => read ?? [])
    const steps = new Steps(await surveyLines(db, readable))
    const end = rest.findIndex(({ read }) => {
      if (!mayCall(db, CALLS_AFTERWARDS + (steps.portions + 1) * CALLS_PER_PORTION)) return true
      if (read) steps.add(read)
      return false
    })
    let later = CALLS_AFTERWARDS + steps.portions * CALLS_PER_PORTION
    for (const [index, step] of steps.list.entries()) {
      later -= steps.portionsIn(index) * CALLS_PER_PORTION
      await storeStep(db, step, written, later)
    }
    done = end < 0 ? lines.length : done + end
  }
  await markDownloads(db, lines.slice(0, done))
  if (!db.dryRun) await finishWritten(db, written)
  return done
}

async function markDownloads(db: Database, lines: readonly ReadLine[]): Promise<void> {
  const stored = lines.flatMap(({ read }) => (read?.line.downloads && isStored(read) ? read : []))
  for (const [entity, group] of Map.groupBy(stored, ({ entity }) => entity))
    await entity.markDownloads?.(
      db,
      group.map(({ line }) => line),
    )
}

const isStored = ({ line }: EntityLine) => line.problems.length === 0

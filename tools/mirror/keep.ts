/** Keeping a copy while the service is written to, and the program that keeps it is killed. */
import { once } from 'node:events'
import { join } from 'node:path'
import { seeded } from '../../fixtures/random.ts'
import { findDifferences } from './difference.ts'
import type { Newcomer } from './newcomer.ts'
import type { RandomWrites, Target } from './random-writes.ts'

export interface Kept {
  /** What differs in the end, a line each. */
  differences: string[]
  /** How often the program was killed, and how often it came to its end before. */
  killed: number
  ended: number
}

/** Between two runs of the program, in writes. */
const EVERY = 25
/** When it is killed, in milliseconds after its start: starting takes most of it. */
const [SOONEST, LATEST] = [100, 2500]

/**
 * Makes `operations` writes while `sync-listings.ts` runs now and then, each time until it is killed at a random moment;
 * then lets it run to its end.
 * @param seed of the moments
 */
export async function keepCopy(
  newcomer: Newcomer,
  target: Target,
  writes: RandomWrites,
  { operations, seed }: { operations: number; seed: number },
): Promise<Kept> {
  const random = seeded(seed)
  const file = join(newcomer.folder, `copy-${seed}.db`)
  const environment = { ESTIA_URL: target.url.origin, ESTIA_KEY: target.key, DATABASE: file }
  const kept = { killed: 0, ended: 0 }
  const copyAWhile = async () => {
    const program = newcomer.start('sync-listings.ts', environment)
    const timer = setTimeout(() => program.kill('SIGKILL'), random.int(SOONEST, LATEST))
    const [code, signal] = await once(program, 'close')
    clearTimeout(timer)
    if (signal === 'SIGKILL') kept.killed++
    else if (code === 0) kept.ended++
    else throw new Error(`sync-listings.ts ended with ${code}`)
  }
  let copying = Promise.resolve()
  for (let done = 0; done < operations; done++) {
    if (done % EVERY === 0) {
      await copying
      copying = copyAWhile()
      // What fails meanwhile is thrown when its turn comes.
      copying.catch(() => undefined)
    }
    await writes.write()
  }
  await copying
  await newcomer.run('sync-listings.ts', environment)
  return { ...kept, differences: await findDifferences(file, target) }
}

/** Runs and kills the program that keeps a copy, while the service is written to. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { seeded } from '../../fixtures/random.ts'
import { findDifferences } from './difference.ts'
import type { Newcomer } from './newcomer.ts'
import type { MirrorTarget, RandomWrites } from './random-writes.ts'

export interface Kept {
  /** Differences at the end, one line each. */
  differences: string[]
  /** How often the program was killed. */
  killed: number
}

/** Writes between two runs of the program. */
const EVERY = 25
/** The program is killed after at most this many calls, and at most so many milliseconds after the reply. */
const [LAST_REQUEST, LATEST] = [20, 20]

/**
 * Makes `operations` writes while `sync-listings.ts` runs now and then, each time until it is killed after a random request;
 * then lets it run to its end.
 * @param options.seed of where it is killed
 */
export async function keepCopy(
  newcomer: Newcomer,
  target: MirrorTarget,
  writes: RandomWrites,
  { operations, seed }: { operations: number; seed: number },
): Promise<Kept> {
  const random = seeded(seed)
  const file = join(newcomer.folder, `copy-${seed}.db`)
  let killed = 0
  let onAnswer = () => {}
  const proxy = createServer((requested, answer) => {
    forward(target, requested, answer)
      .then(() => onAnswer())
      .catch(() => answer.destroy())
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const environment = { ESTIA_URL: `http://127.0.0.1:${port}`, ESTIA_KEY: target.key, DATABASE: file }
  const copyAWhile = async () => {
    let left = random.int(1, LAST_REQUEST)
    const delay = random.int(0, LATEST)
    const program = newcomer.start('sync-listings.ts', environment)
    onAnswer = () => {
      if (--left === 0) setTimeout(() => program.kill('SIGKILL'), delay)
    }
    const [code, signal] = await once(program, 'close')
    onAnswer = () => {}
    if (signal === 'SIGKILL') killed++
    else if (code !== 0) throw new Error(`sync-listings.ts ended with ${code}`)
  }
  let copying = Promise.resolve()
  for (let done = 0; done < operations; done++) {
    if (done % EVERY === 0) {
      await copying
      copying = copyAWhile()
      // A failure is thrown when the run is awaited; this only prevents an unhandled rejection.
      copying.catch(() => undefined)
    }
    await writes.write()
  }
  await copying
  await newcomer.run('sync-listings.ts', environment)
  proxy.closeAllConnections()
  proxy.close()
  return { killed, differences: await findDifferences(file, target) }
}

/** Forwards a read to the service. */
async function forward(
  { url }: MirrorTarget,
  requested: IncomingMessage,
  answer: ServerResponse,
): Promise<void> {
  const headers = { Authorization: requested.headers.authorization ?? '' }
  const reply = await fetch(new URL(requested.url ?? '/', url), { headers })
  answer.writeHead(reply.status, { 'Content-Type': reply.headers.get('Content-Type') ?? '' })
  answer.end(Buffer.from(await reply.arrayBuffer()))
}

/**
 * Requests of one isolate take turns where they would be in each other's way: writers of the same record, so that each
 * tries once instead of all of them again and again, and photos, so that no call waits for all those of another.
 * Nothing depends on it: the guard of a record's version decides between writers, those of other isolates among them,
 * and a photo is worked on in one go.
 *
 *     await takeTurn('listings 5', () => mergeOnce())
 *
 * Requests share no promise: one that its client has given up ends without a word, and whoever waited for a promise
 * of it would wait for ever. So each looks from time to time whether it is its turn, and those that give no sign of life
 * are passed over.
 */

/** One request's place in a line. */
interface Turn {
  /** When it is taken for dead unless it gives a sign of life, as `Date.now()`. */
  until: number
}

/** Between two looks, in milliseconds for each request ahead, and at most. */
const LOOK = 4
const LONGEST_LOOK = 200
/** Between two signs of life, and how long there may be none, in milliseconds. */
const PULSE = 200
const SILENCE = 700
/** How long a request waits at all before it goes ahead. */
const LONGEST_WAIT = 15_000

const lines = new Map<string, Turn[]>()

/** Runs `work` when all who came before in `line` are done, or gone. */
export async function takeTurn<T>(line: string, work: () => Promise<T>): Promise<T> {
  const turn: Turn = { until: Date.now() + SILENCE }
  const end = Date.now() + LONGEST_WAIT
  /** Since when others can be heard: while a photo is worked on, nobody can give a sign of life. */
  let listening = Date.now()
  lines.set(line, [...(lines.get(line) ?? []), turn])
  // Ends with the request, whatever ends it.
  const pulse = setInterval(() => {
    turn.until = Date.now() + SILENCE
  }, PULSE)
  try {
    for (let ahead = countAhead(line, turn); ahead > 0 && Date.now() < end; ahead = countAhead(line, turn)) {
      const pause = Math.min(LONGEST_LOOK, LOOK * ahead)
      const expected = Date.now() + pause
      await new Promise((resolve) => setTimeout(resolve, pause))
      if (Date.now() - expected > PULSE) listening = Date.now()
      if (Date.now() - listening > SILENCE) removeSilent(line, turn)
    }
    return await work()
  } finally {
    clearInterval(pulse)
    leave(line, (other) => other === turn)
  }
}

/**
 * Lets other requests, timers and sockets come in. Where D1 runs in the same process, as on a machine of one's own, nothing
 * waits for the system while one query follows the other: long work would hold up everybody else until it ends.
 */
export function letOthersIn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0))
}

function countAhead(line: string, turn: Turn): number {
  return lines.get(line)?.indexOf(turn) ?? 0
}

/** Takes those for dead who have not been heard of. */
function removeSilent(line: string, turn: Turn): void {
  const now = Date.now()
  leave(line, (other) => other !== turn && other.until < now)
}

function leave(line: string, isLeaving: (turn: Turn) => boolean): void {
  const left = (lines.get(line) ?? []).filter((turn) => !isLeaving(turn))
  if (left.length > 0) lines.set(line, left)
  else lines.delete(line)
}

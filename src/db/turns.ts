/**
 * Writers of the same record take turns, as far as one isolate sees them: each tries once instead of all of them
 * again and again. Nothing depends on it, as the guard of the record's version decides; writers of other isolates
 * meet there.
 *
 *     await takeTurn('listings 5', () => mergeOnce())
 *
 * Requests share no promise: one that its client has given up ends without a word, and whoever waited for a promise
 * of it would wait for ever. So each looks from time to time whether it is its turn, and those that give no sign of life
 * are passed over.
 */

/** One writer's place in the line of a record. */
interface Turn {
  /** When it is taken for dead unless it gives a sign of life, as `Date.now()`. */
  until: number
}

/** Between two looks, in milliseconds for each writer ahead, and at most. */
const LOOK = 4
const LONGEST_LOOK = 200
/** Between two signs of life, and how long there may be none, in milliseconds. */
const PULSE = 200
const SILENCE = 700
/** How long a writer waits at all before it goes ahead. */
const LONGEST_WAIT = 15_000

const lines = new Map<string, Turn[]>()

/** Runs `work` when all who came before are done with `record`, or gone. */
export async function takeTurn<T>(record: string, work: () => Promise<T>): Promise<T> {
  const turn: Turn = { until: Date.now() + SILENCE }
  const end = Date.now() + LONGEST_WAIT
  lines.set(record, [...(lines.get(record) ?? []), turn])
  // Ends with the request, whatever ends it.
  const pulse = setInterval(() => {
    turn.until = Date.now() + SILENCE
  }, PULSE)
  try {
    for (
      let ahead = countAhead(record, turn);
      ahead > 0 && Date.now() < end;
      ahead = countAhead(record, turn)
    ) {
      await new Promise((resolve) => setTimeout(resolve, Math.min(LONGEST_LOOK, LOOK * ahead)))
    }
    return await work()
  } finally {
    clearInterval(pulse)
    leave(record, (other) => other === turn)
  }
}

/** How many are before `turn`; those taken for dead leave the line. */
function countAhead(record: string, turn: Turn): number {
  const now = Date.now()
  leave(record, (other) => other !== turn && other.until < now)
  return lines.get(record)?.indexOf(turn) ?? 0
}

function leave(record: string, isLeaving: (turn: Turn) => boolean): void {
  const left = (lines.get(record) ?? []).filter((turn) => !isLeaving(turn))
  if (left.length > 0) lines.set(record, left)
  else lines.delete(record)
}

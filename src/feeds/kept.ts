/**
 * Feeds that take long to make are kept in the bucket until their `ETag` changes. They are made by one request at a time
 * and read from there, so a reader who is slow, or stops, holds nothing of the isolate's memory.
 */
import type { Context } from 'hono'
import { type KeptText, keepText, readKeptText } from '../files/kept-texts.ts'
import { StorageError } from '../files/store.ts'
import { MakingTakesTooLong, makeOnce } from '../http/concurrency/single-maker.ts'
import { Slots } from '../http/concurrency/slots.ts'
import type { App } from '../http/context.ts'
import { ApiError } from '../http/errors.ts'
import { describeFailure, log } from '../http/log.ts'

/** How long a request waits for a file that is being made, or for its turn to make one, in ms. */
const MAX_WAIT_MS = 40_000

/** Files made at once in one isolate: each holds a part of an upload and what it is made of, some 10 MB. */
const makings = new Slots(2, MAX_WAIT_MS)

interface Maker {
  /** Counts that the client has a file made. Throws 429 once there are too many. */
  count: () => Promise<void>
  /** Its text; null if there is no such file. */
  make: () => Promise<AsyncIterable<string> | null>
}

/**
 * The file from the bucket, where it is put first if need be. Null if there is no such file, undefined if the bucket
 * fails. Throws 503 if it is not finished in time.
 */
export async function readOrKeep(
  c: Context<App>,
  kept: KeptText,
  { count, make }: Maker,
): Promise<R2ObjectBody | null | undefined> {
  const bucket = c.env.PHOTOS
  const found = await readKeptText(bucket, kept).catch(reportFailure)
  if (found) return found
  await count()
  // The bucket failed: the file is made without it.
  if (found === undefined) return undefined
  try {
    const until = Date.now() + MAX_WAIT_MS
    const hasFile = await makeOnce(`${kept.key} ${kept.tag}`, {
      make: () => makeAndKeep(bucket, kept, make, until),
      waitUntil: (work) => c.executionCtx.waitUntil(work),
      until,
    })
    return hasFile ? ((await readKeptText(bucket, kept)) ?? undefined) : null
  } catch (error) {
    if (error instanceof MakingTakesTooLong) throw busy()
    return reportFailure(error)
  }
}

/** Logs that the bucket failed. Throws any other error. */
function reportFailure(error: unknown): undefined {
  if (!(error instanceof StorageError)) throw error
  log('error', { work: 'keeping a feed', ...describeFailure(error) })
}

/** Whether there is such a file. */
async function makeAndKeep(
  bucket: R2Bucket,
  kept: KeptText,
  make: Maker['make'],
  until: number,
): Promise<boolean> {
  const slot = await makings.wait(until)
  if (!slot) throw busy()
  try {
    const texts = await make()
    if (texts) await keepText(bucket, kept, texts, slot.beat)
    return texts !== null
  } finally {
    slot.free()
  }
}

function busy(): ApiError {
  return new ApiError(503, 'The feed is being made', [], { 'Retry-After': '30' })
}

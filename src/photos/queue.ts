/**
 * Processes the photos of all calls one after the other, and charges the budget of the call.
 *
 *     const { original, watermarked, width, height } = await queuePhoto(bytes, { maxSide: 1920, watermark, budget })
 *     const { image, thumb } = await queuePanorama(bytes, { budget })
 *     const small = await queuePhotoWork(async () => resizePhoto(await load(), { width: 640, format: 'webp' }))
 *
 * The 128 MB of an isolate are shared by all its requests, so only one photo is processed at a time. Calls alternate
 * photo by photo, so that a call with one photo does not wait for a call with many. Each throws QueueBusy if too many are
 * waiting.
 */

import {
  isWatermarkImage,
  type PhotoInfo,
  type PhotoOptions,
  type ProcessedPanorama,
  type ProcessedPhoto,
  processPanorama,
  processPhoto,
} from '@estia/photo-codec'
import { bytesIn, type QueueLimit, runInOrder } from '../http/concurrency/queue.ts'
import { makeRoom } from '../http/concurrency/room.ts'
import { type PhotoBudget, panoramaCost, photoCost } from './budget.ts'

const QUEUE = 'photos'
/** A page may show a hundred pictures. The one that is processed may need all memory but this. */
const LIMIT: QueueLimit = { requests: 100, bytes: 32 * 1024 * 1024 }

/** From so many pixels or bytes on, a photo may need all memory. Those that phones take need less. */
const LARGE = { pixels: 16_000_000, bytes: 6 * 1024 * 1024 }

/** Makes room for a photo that is about to be processed: at most a byte a pixel, its file in the codec, and what waits behind it. */
export function makeRoomFor({ width, height }: Pick<PhotoInfo, 'width' | 'height'>, bytes: number): void {
  const pixels = width * height
  if (pixels >= LARGE.pixels || bytes >= LARGE.bytes) makeRoom()
  else makeRoom(pixels + bytes + Math.max(bytes, bytesIn(QUEUE)))
}

export interface PhotoCall {
  /** Is charged for the photo and its watermark. */
  budget?: PhotoBudget
  /** Called when the photo reaches the head of the queue. */
  began?: () => void
}

/** Makes the stored copies of a photo. Throws a PhotoError with the message for the API. */
export function queuePhoto(
  bytes: Uint8Array,
  options: Omit<PhotoOptions, 'admit'> & PhotoCall,
): Promise<ProcessedPhoto> {
  const held = bytes.length + (options.watermark?.length ?? 0)
  return queued(options, held, photoCost, (admit) => processPhoto(bytes, { ...options, admit }))
}

/** Makes the stored copies of a 360° panorama, of which only the width is limited. Throws a PhotoError. */
export function queuePanorama(bytes: Uint8Array, call: PhotoCall = {}): Promise<ProcessedPanorama> {
  return queued(call, bytes.length, panoramaCost, (admit) => processPanorama(bytes, { admit }))
}

/** Whether a file can be a watermark: a PNG, WebP or JPEG that can be decoded completely. */
export function queueWatermarkCheck(bytes: Uint8Array): Promise<boolean> {
  return queued({}, bytes.length, photoCost, () => {
    makeRoom()
    return isWatermarkImage(bytes)
  })
}

/** Runs other work on a single photo after the photos ahead in the queue, including loading its file. */
export function queuePhotoWork<T>(work: () => Promise<T>): Promise<T> {
  return runInOrder(QUEUE, work, { limit: LIMIT })
}

/** Runs `work` after the photos ahead in the queue. The waiting time is not charged to the call. */
function queued<T>(
  { budget, began }: PhotoCall,
  bytes: number,
  cost: (info: PhotoInfo) => number,
  work: (admit: (info: PhotoInfo) => void) => T,
): Promise<T> {
  const arrived = Date.now()
  const run = async () => {
    budget?.extend(Date.now() - arrived)
    began?.()
    return work((info) => {
      budget?.charge(cost(info))
      makeRoomFor(info, bytes)
    })
  }
  return runInOrder(QUEUE, run, { limit: LIMIT, bytes })
}

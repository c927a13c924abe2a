/**
 * Photos of all calls are processed one after the other, each paid for by the budget of its call.
 *
 *     const { original, watermarked, width, height } = await queuePhoto(bytes, { maxSide: 1920, watermark, budget })
 *     const { image, thumb } = await queuePanorama(bytes, { budget })
 *
 * An isolate's 128 MB are shared by all requests that run in it, so a photo is processed in one go. Calls alternate photo by
 * photo, so that none waits for all those of another.
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
import { runInOrder } from '../http/concurrency/queue.ts'
import { type PhotoBudget, panoramaCost, photoCost } from './budget.ts'

/** The name of the queue that all photos share. */
const QUEUE = 'photos'

/** The call that a photo belongs to. */
export interface PhotoCall {
  /** Pays for the photo and its watermark. */
  budget?: PhotoBudget
  /** Called when the photo reaches the head of the queue. */
  began?: () => void
}

/** Makes the stored copies of a photo. Throws a PhotoError whose message is the API's text. */
export function queuePhoto(
  bytes: Uint8Array,
  options: Omit<PhotoOptions, 'admit'> & PhotoCall,
): Promise<ProcessedPhoto> {
  return queued(options, photoCost, (admit) => processPhoto(bytes, { ...options, admit }))
}

/** Makes the stored copies of a 360° panorama, bounded in width only. Throws a PhotoError. */
export function queuePanorama(bytes: Uint8Array, call: PhotoCall = {}): Promise<ProcessedPanorama> {
  return queued(call, panoramaCost, (admit) => processPanorama(bytes, { admit }))
}

/** Whether a file can be a watermark: a PNG, WebP or JPEG that decodes to its end. */
export function queueWatermarkCheck(bytes: Uint8Array): Promise<boolean> {
  return queued({}, photoCost, () => isWatermarkImage(bytes))
}

/** Runs `work` when the photos ahead are done; the wait is not charged to the call. */
function queued<T>(
  { budget, began }: PhotoCall,
  cost: (info: PhotoInfo) => number,
  work: (admit: (info: PhotoInfo) => void) => T,
): Promise<T> {
  const arrived = Date.now()
  return runInOrder(QUEUE, async () => {
    budget?.extend(Date.now() - arrived)
    began?.()
    return work((info) => budget?.charge(cost(info)))
  })
}

/**
 * The watermark for the photos of one call. If it cannot be used, photos are stored without it and an error is logged.
 */
import { describeFailure, log } from '../../../http/log.ts'
import type { PhotoBudget } from '../../../photos/budget.ts'
import { DOWNLOAD_TIMEOUT_MS, downloadPhoto } from '../../../photos/download.ts'
import type { PhotoSettings } from './rows.ts'

/** A watermark for as long as it can be used. */
export interface RequestWatermark {
  /** The bytes of its file; null if there is none or it cannot be used. */
  bytes(): Uint8Array | null
  /** Reports that it cannot be used. The following photos are stored without it. */
  giveUp(cause: unknown): void
}

/** Loads the watermark of the store. There is none if `settings` is null. Never throws. */
export async function createWatermark(
  env: Env,
  settings: PhotoSettings | null,
  budget: PhotoBudget,
): Promise<RequestWatermark> {
  let bytes: Uint8Array | null = null
  const giveUp = (cause: unknown) => {
    bytes = null
    log('error', {
      work: 'loading a watermark: photos are stored without it',
      store_id: settings?.store_id,
      ...describeFailure(cause),
    })
  }
  try {
    if (settings?.watermark) bytes = await fetchWatermark(env, settings.watermark, budget)
  } catch (error) {
    giveUp(error)
  }
  return { bytes: () => bytes, giveUp }
}

/** Reads the file of a watermark. Throws if that is not possible. */
async function fetchWatermark(env: Env, watermark: string, budget: PhotoBudget): Promise<Uint8Array> {
  if (/^https?:/i.test(watermark)) {
    return downloadPhoto(watermark, {
      env,
      timeoutMs: Math.min(DOWNLOAD_TIMEOUT_MS, budget.timeLeft()),
    })
  }
  const object = await env.PHOTOS.get(watermark)
  if (!object) throw new Error('No such file in the bucket')
  return new Uint8Array(await object.arrayBuffer())
}

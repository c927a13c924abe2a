/** The watermark for the photos of one call. Without it they are stored all the same, but whoever runs the service is told. */
import { describeFailure, log } from '../../../http/log.ts'
import { allowsPrivateHosts } from '../../../net/address.ts'
import type { PhotoBudget } from '../../../photos/budget.ts'
import { DOWNLOAD_TIMEOUT_MS, downloadPhoto } from '../../../photos/download.ts'
import type { PhotoSettings } from './rows.ts'

/** A watermark as long as it is of use. */
export interface RequestWatermark {
  /** Its file; null when there is none or it cannot be had. */
  bytes(): Uint8Array | null
  /** It cannot be read: the photos that follow go without it. */
  giveUp(cause: unknown): void
}

/** Gets the office's watermark; none without `settings`. */
export async function createWatermark(
  env: Env,
  settings: PhotoSettings | null,
  budget: PhotoBudget,
): Promise<RequestWatermark> {
  let bytes: Uint8Array | null = null
  const giveUp = (cause: unknown) => {
    bytes = null
    log('error', {
      work: 'a watermark: photos go without it',
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

/** Throws when it cannot be had. */
async function fetchWatermark(env: Env, watermark: string, budget: PhotoBudget): Promise<Uint8Array> {
  if (/^https?:/i.test(watermark)) {
    return downloadPhoto(watermark, {
      allowPrivate: allowsPrivateHosts(env),
      timeoutMs: Math.min(DOWNLOAD_TIMEOUT_MS, budget.timeLeft()),
    })
  }
  const object = await env.PHOTOS.get(watermark)
  if (!object) throw new Error('No such file in the bucket')
  return new Uint8Array(await object.arrayBuffer())
}

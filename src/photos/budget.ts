/**
 * Limits the work on the photos of one call. The platform ends a call after 30 seconds of CPU time, and a hundred small
 * files can need much more.
 *
 *     const budget = createPhotoBudget()
 *     const bytes = await downloadPhoto(url, { env, timeoutMs: budget.timeLeft() })
 *     budget.charge(photoCost(info)) // throws PhotoBudgetExceeded if too little is left
 *
 * A photo that exceeds the budget fails on its own; later, smaller ones may still fit.
 */

import { PhotoError, type PhotoInfo } from '@estia/photo-codec'
import { PHOTO_ERRORS } from './errors.ts'

/** Pixels of JPEG photos that one call may decode: a hundred photos of 12 megapixels. */
export const MAX_CALL_PIXELS = 1_200_000_000

/**
 * Cost of a pixel in PNG, GIF and WebP, relative to JPEG: these cannot be decoded at a reduced size. Panoramas cost the
 * same, because they are also stored in full size.
 */
export const COSTLY_PIXEL = 4

/** Time in which a call may begin to process photos, including downloads, in milliseconds. */
export const MAX_CALL_MS = 25_000

/** The photo does not fit in the budget of its call. */
export class PhotoBudgetExceeded extends PhotoError {
  constructor() {
    super(PHOTO_ERRORS.undecodable, { cause: new Error('The budget of the call is spent') })
  }
}

export interface PhotoBudget {
  /** Remaining milliseconds, at least 0. */
  timeLeft(): number
  /** Extends the time by milliseconds in which the call only waited for other calls. */
  extend(milliseconds: number): void
  /** Charges a cost in pixels. Throws PhotoBudgetExceeded, and charges nothing, if less is left or the time is up. */
  charge(pixels: number): void
}

/** Makes a full budget whose time starts now. */
export function createPhotoBudget(pixels = MAX_CALL_PIXELS, milliseconds = MAX_CALL_MS): PhotoBudget {
  let end = Date.now() + milliseconds
  let left = pixels
  const timeLeft = () => Math.max(0, end - Date.now())
  return {
    timeLeft,
    extend: (waited) => {
      end += waited
    },
    charge: (cost) => {
      if (cost > left || timeLeft() === 0) throw new PhotoBudgetExceeded()
      left -= cost
    },
  }
}

/** The cost of a photo, in pixels of a JPEG photo. */
export function photoCost({ type, width, height }: PhotoInfo): number {
  return width * height * (type === 'image/jpeg' ? 1 : COSTLY_PIXEL)
}

/** The cost of a panorama, in pixels of a JPEG photo. */
export function panoramaCost({ width, height }: PhotoInfo): number {
  return width * height * COSTLY_PIXEL
}

/**
 * What the photos of one call may cost together. The platform ends a call that computes for 30 seconds, and whoever sends
 * a hundred small files can ask for much more than that.
 *
 *     const budget = createBudget()
 *     const bytes = await downloadPhoto(url, { allowPrivate: false, timeoutMs: budget.timeLeft() })
 *     budget.pay(photoCost(info)) // throws BudgetSpent when too little is left
 *
 * A photo that is not paid for fails alone; smaller ones behind it may still fit.
 */

import { PhotoError, type PhotoInfo, type PhotoType } from '@estia/photo-codec'
import { PHOTO_ERRORS } from './errors.ts'

/** Pixels of JPEG photos that one call may have decoded: a hundred of 12 megapixels. */
export const MAX_CALL_PIXELS = 1_200_000_000

/**
 * What a pixel costs that is no pixel of a JPEG photo: one of PNG, GIF or WebP, which cannot be decoded smaller than they
 * are, and one of a panorama, which is also kept in full.
 */
export const COSTLY_PIXEL = 4

/** Time in which a call begins work on its photos, downloads included, in milliseconds. */
export const MAX_CALL_MS = 25_000

/** The photo cannot be paid for: its call has asked for too much. */
export class PhotoBudgetExceeded extends PhotoError {
  constructor() {
    super(PHOTO_ERRORS.undecodable, { cause: new Error('The budget of the call is spent') })
  }
}

/** What is left for a call. */
export interface PhotoBudget {
  /** Milliseconds; 0 once the time is over. */
  timeLeft(): number
  /** Gives back milliseconds in which the call only waited for others. */
  extend(milliseconds: number): void
  /** Takes a cost in pixels. Throws BudgetSpent, and takes nothing, when less is left or the time is over. */
  charge(pixels: number): void
}

/** A full budget; its time begins now. */
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

/** What a pixel costs by format. */
const PIXEL_COSTS: Record<PhotoType, number> = {
  'image/jpeg': 1,
  'image/png': COSTLY_PIXEL,
  'image/gif': COSTLY_PIXEL,
  'image/webp': COSTLY_PIXEL,
}

/** What a photo costs, in pixels of a JPEG photo. */
export function photoCost({ type, width, height }: PhotoInfo): number {
  return width * height * PIXEL_COSTS[type]
}

/** What a panorama costs, in pixels of a JPEG photo. */
export function panoramaCost({ width, height }: PhotoInfo): number {
  return width * height * COSTLY_PIXEL
}

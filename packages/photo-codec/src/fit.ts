/**
 * The size a photo gets.
 *
 *     fitInside({ width: 4000, height: 3000 }, { width: 1920, height: 1920 }) // { width: 1920, height: 1440 }
 */

/** Width and height in pixels. */
export interface Size {
  width: number
  height: number
}

/**
 * The largest size inside `bounds` (either may be Infinity) of the same shape, in whole pixels, at least 1 × 1 and
 * never larger than `size`.
 */
export function fitWithin(size: Size, bounds: Size): Size {
  const scale = Math.min(1, bounds.width / size.width, bounds.height / size.height)
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  }
}

/** The size of a picture once its EXIF orientation (1–8) is applied: from 5 on it lies on its side. */
export function uprightSize(size: Size, orientation: number): Size {
  return orientation >= 5 ? { width: size.height, height: size.width } : size
}

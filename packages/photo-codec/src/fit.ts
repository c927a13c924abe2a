/**
 * Computes the size of the copies of a photo.
 *
 *     fitWithin({ width: 4000, height: 3000 }, { width: 1920, height: 1920 }) // { width: 1920, height: 1440 }
 */

/** Width and height in pixels. */
export interface Size {
  width: number
  height: number
}

/**
 * The largest size within `bounds` (either may be Infinity) with the same aspect ratio. In whole pixels, at least 1 × 1,
 * never larger than `size`.
 */
export function fitWithin(size: Size, bounds: Size): Size {
  const scale = Math.min(1, bounds.width / size.width, bounds.height / size.height)
  return {
    width: Math.max(1, Math.round(size.width * scale)),
    height: Math.max(1, Math.round(size.height * scale)),
  }
}

/** The size of a picture once its EXIF orientation (1–8) is applied: 5 to 8 swap width and height. */
export function uprightSize(size: Size, orientation: number): Size {
  return orientation >= 5 ? { width: size.height, height: size.width } : size
}

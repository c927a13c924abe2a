/** How near a small copy comes to the best one: the picture decoded whole and resized with Lanczos. */
import sharp from 'sharp'

/** Brightness (BT.601) of the picture in the size that fits 1920 × 1920, one number a pixel. */
export function bestLuma(picture: Uint8Array): Promise<Float32Array> {
  const fitted = sharp(picture).rotate().flatten({ background: '#fff' }).resize({
    width: 1920,
    height: 1920,
    fit: 'inside',
    withoutEnlargement: true,
    kernel: 'lanczos3',
    fastShrinkOnLoad: false,
  })
  return luma(fitted)
}

/** Peak signal-to-noise ratio of a JPEG's brightness in dB; null when it is not of the same size. */
export async function lumaPsnr(jpeg: Uint8Array, best: Float32Array): Promise<number | null> {
  const found = await luma(sharp(jpeg))
  return found.length === best.length ? psnr(found, best) : null
}

/** Peak signal-to-noise ratio of a brightness in dB against another of the same size. */
export function psnr(found: Float32Array, best: Float32Array): number {
  if (found.length !== best.length) throw new Error('The pictures have two sizes')
  const squares = found.reduce((sum, value, at) => sum + (value - (best[at] ?? 0)) ** 2, 0)
  return 10 * Math.log10((255 * 255 * best.length) / squares)
}

/** The brightness (BT.601) of each pixel. */
export async function luma(picture: sharp.Sharp): Promise<Float32Array> {
  const { data, info } = await picture.removeAlpha().raw().toBuffer({ resolveWithObject: true })
  const result = new Float32Array(info.width * info.height)
  for (let at = 0; at < result.length; at += 1) {
    const [red = 0, green = 0, blue = 0] = [data[at * 3], data[at * 3 + 1], data[at * 3 + 2]]
    result[at] = 0.299 * red + 0.587 * green + 0.114 * blue
  }
  return result
}

/** sharp on one thread: what native code needs for the same job. */
import sharp from 'sharp'
import type { Copies } from './memory.ts'

sharp.concurrency(1)
sharp.cache(false)

/**
 * Decodes once and keeps the small picture raw for both copies: two pipelines from the file take up to twice as long.
 */
export async function processSharp(picture: Uint8Array, watermark: Uint8Array): Promise<Copies> {
  const fitted = sharp(picture)
    .rotate()
    .resize({ width: 1920, height: 1920, fit: 'inside', withoutEnlargement: true })
  const { data, info } = await fitted.raw().toBuffer({ resolveWithObject: true })
  const raw = { width: info.width, height: info.height, channels: info.channels }
  const original = await sharp(data, { raw }).jpeg({ quality: 90 }).toBuffer()
  const marked = sharp(data, { raw }).composite([{ input: Buffer.from(watermark), gravity: 'centre' }])
  return { original, watermarked: await marked.jpeg({ quality: 90 }).toBuffer() }
}

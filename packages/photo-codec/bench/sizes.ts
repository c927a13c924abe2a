/** What smaller copies of pictures cost and how they look, against sharp: `npm run bench -- photos --sizes`. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import sharp from 'sharp'
import { luma, psnr } from './quality.ts'
import type { SizeAnswer, SizeRequest } from './sizes-child.ts'

export const SIZE_WIDTHS = [320, 640, 960, 1280, null] as const
export const SIZE_FORMATS = ['jpeg', 'webp'] as const

/** One size of several pictures: the means of all, the memory after the first, the worst likeness. */
export interface SizeFigures {
  width: number | null
  format: 'jpeg' | 'webp'
  ms: number
  sharpMs: number
  memory: number
  bytes: number
  sharpBytes: number
  /** Luma PSNR in dB against the stored picture decoded whole and resized with Lanczos. */
  psnr: number
  sharpPsnr: number
  /** Of the picture where the codec is furthest below sharp, in dB; below 0 where sharp is nearer. */
  worst: number
}

type Maker = (request: SizeRequest) => Promise<SizeAnswer>

/** The pictures as the service would store them: at most 1920 pixels, quality 90. */
export function storedCopies(pictures: readonly Uint8Array[]): Promise<Uint8Array[]> {
  return withChild(async (make) => {
    const stored: Uint8Array[] = []
    for (const picture of pictures) stored.push((await make({ picture })).copy)
    return stored
  })
}

/** Measures one size of stored pictures in a process of its own. */
export function measureSize(
  stored: readonly Uint8Array[],
  width: number | null,
  format: 'jpeg' | 'webp',
): Promise<SizeFigures> {
  sharp.concurrency(1)
  return withChild(async (make) => {
    const rows: Row[] = []
    for (const picture of stored) {
      const own = await make({ stored: picture, width, format })
      rows.push({ own, ...(await compare(picture, width, format, own.copy)) })
    }
    const mean = (of: (row: Row) => number) => rows.reduce((sum, row) => sum + of(row), 0) / rows.length
    return {
      width,
      format,
      ms: mean(({ own }) => own.ms),
      sharpMs: mean(({ sharpMs }) => sharpMs),
      memory: rows[0]?.own.memory ?? 0,
      bytes: mean(({ own }) => own.copy.length),
      sharpBytes: mean(({ sharpBytes }) => sharpBytes),
      psnr: mean(({ ownPsnr }) => ownPsnr),
      sharpPsnr: mean(({ sharpPsnr }) => sharpPsnr),
      worst: Math.min(...rows.map(({ ownPsnr, sharpPsnr }) => ownPsnr - sharpPsnr)),
    }
  })
}

interface Row extends Comparison {
  own: SizeAnswer
}

interface Comparison {
  sharpMs: number
  sharpBytes: number
  ownPsnr: number
  sharpPsnr: number
}

/** The same size by sharp, and how near both come to the best one. */
async function compare(
  stored: Uint8Array,
  width: number | null,
  format: 'jpeg' | 'webp',
  own: Uint8Array,
): Promise<Comparison> {
  const options = { width: width ?? undefined, withoutEnlargement: true, kernel: 'lanczos3' } as const
  const best = await luma(sharp(stored).resize({ ...options, fastShrinkOnLoad: false }))
  const start = performance.now()
  const encoded = await sharp(stored).resize(options).toFormat(format, { quality: 80 }).toBuffer()
  const sharpMs = performance.now() - start
  const near = async (file: Uint8Array) => psnr(await luma(sharp(file)), best)
  return { sharpMs, sharpBytes: encoded.length, ownPsnr: await near(own), sharpPsnr: await near(encoded) }
}

async function withChild<T>(work: (make: Maker) => Promise<T>): Promise<T> {
  const child = fork(join(import.meta.dirname, 'sizes-child.ts'), { serialization: 'advanced' })
  const ended = once(child, 'exit').then(() => {
    throw new Error('The process that makes sizes has ended')
  })
  ended.catch(() => undefined)
  try {
    return await work(async (request) => {
      child.send(request)
      const [answer] = await Promise.race([once(child, 'message'), ended])
      return answer as SizeAnswer
    })
  } finally {
    child.kill()
  }
}

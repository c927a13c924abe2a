/** The pictures that are measured. Each is generated, identically in every run. */
import { fromRaw } from '@estia/photo-codec/fixtures/looks'
import { encodePng } from '@estia/photo-codec/fixtures/png'
import { drawScene } from '@estia/photo-codec/fixtures/scene'
import type sharp from 'sharp'

export interface Job {
  name: string
  /** How the tables call it. */
  title: string
  width: number
  height: number
  /** See `drawScene`. A camera with more pixels in the same place smooths each of them more. */
  noise: number
  /** How many times a smaller drawing is enlarged: a sharp photo without loss would be larger than a call takes. */
  enlarged?: number
  format: 'jpeg' | 'progressive' | 'png' | 'webp'
}

export const JOBS: readonly Job[] = [
  { name: '2', title: '2 MP JPEG', width: 1632, height: 1224, noise: 4.5, format: 'jpeg' },
  { name: '12', title: '12 MP JPEG', width: 4000, height: 3000, noise: 4, format: 'jpeg' },
  { name: '24', title: '24 MP JPEG', width: 6000, height: 4000, noise: 3.5, format: 'jpeg' },
  { name: '48', title: '48 MP JPEG', width: 8064, height: 6048, noise: 3, format: 'jpeg' },
  {
    name: '12-progressive',
    title: '12 MP progressive',
    width: 4000,
    height: 3000,
    noise: 4,
    format: 'progressive',
  },
  { name: '0.3-png', title: '0.3 MP PNG', width: 640, height: 480, noise: 1, format: 'png' },
  { name: '1-png', title: '1 MP PNG', width: 1152, height: 864, noise: 1, format: 'png' },
  { name: '4-png', title: '4 MP PNG', width: 2400, height: 1700, noise: 1, format: 'png' },
  { name: '8-png', title: '8 MP PNG', width: 3264, height: 2448, noise: 1, format: 'png' },
  { name: '16-png', title: '16 MP PNG', width: 4608, height: 3456, noise: 0, enlarged: 3, format: 'png' },
  { name: '4-webp', title: '4 MP WebP', width: 2400, height: 1700, noise: 4, format: 'webp' },
  { name: '16-webp', title: '16 MP WebP', width: 4608, height: 3456, noise: 4, format: 'webp' },
]

function draw({ width, height, noise, enlarged = 1 }: Job): sharp.Sharp {
  const drawing = fromRaw(drawScene(Math.round(width / enlarged), Math.round(height / enlarged), noise))
  return enlarged > 1 ? drawing.resize({ width, height, fit: 'fill' }) : drawing
}

/** The file of a job. JPEGs have quality 92 and 4:2:0 chroma, PNGs are 8-bit RGB, WebPs are lossy. */
export async function makePicture(job: Job): Promise<Buffer> {
  const { format } = job
  const picture = draw(job)
  if (format === 'png') return picture.png().toBuffer()
  if (format === 'webp') return picture.webp({ quality: 85 }).toBuffer()
  const options = { quality: 92, chromaSubsampling: '4:2:0', progressive: format === 'progressive' }
  return picture.jpeg(options).toBuffer()
}

/** A watermark as a PNG: the letter E as wide as a word, half-transparent. */
export function drawLogo(): Uint8Array {
  const [width, height] = [472, 120]
  const samples = Uint8Array.from({ length: width * height * 4 }, (_, at) => {
    if (at % 4 < 3) return 255
    const [x, y] = [(at >> 2) % width, Math.floor((at >> 2) / width)]
    return x < 96 || Math.floor(y / 24) % 2 === 0 ? 140 : 0
  })
  return encodePng({ width, height, depth: 8, colourType: 6, samples })
}

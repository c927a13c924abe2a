/** The pictures that are measured. Each is made anew, the same every time. */
import sharp from 'sharp'
import { drawScene } from '../../fixtures/scene.ts'

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
  format: 'jpeg' | 'progressive' | 'cmyk' | 'png' | 'webp'
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
  { name: '12-cmyk', title: '12 MP CMYK', width: 4000, height: 3000, noise: 1, format: 'cmyk' },
  ...(
    [
      ['0.3', 640, 480],
      ['1', 1152, 864],
      ['2', 1632, 1224],
      ['4', 2400, 1700],
      ['8', 3264, 2448],
      ['16', 4608, 3456],
      ['24', 6000, 4000],
    ] as const
  ).map(([megapixels, width, height]) => job(megapixels, width, height, 'png')),
  ...(
    [
      ['2', 1632, 1224],
      ['4', 2400, 1700],
      ['8', 3264, 2448],
      ['16', 4608, 3456],
      ['40', 7296, 5472],
    ] as const
  ).map(([megapixels, width, height]) => job(megapixels, width, height, 'webp')),
]

function draw({ width, height, noise, enlarged = 1 }: Job, seed: number): sharp.Sharp {
  const { data, ...size } = drawScene(
    Math.round(width / enlarged),
    Math.round(height / enlarged),
    seed,
    noise,
  )
  const drawing = sharp(data, { raw: { ...size, channels: 3 } })
  return enlarged > 1 ? drawing.resize({ width, height, fit: 'fill' }) : drawing
}

function job(megapixels: string, width: number, height: number, format: 'png' | 'webp'): Job {
  const [name, title] = [`${megapixels}-${format}`, `${megapixels} MP ${format === 'png' ? 'PNG' : 'WebP'}`]
  const enlarged = format === 'webp' || width < 4000 ? 1 : width < 5000 ? 3 : 10
  const noise = enlarged > 1 ? 0 : format === 'png' ? 1 : 4
  return { name, title, width, height, noise, format, enlarged }
}

/**
 * The file of a job: JPEG at quality 92, with 4:2:0 chroma or with the inks and the profile of a press, PNG of 8-bit RGB,
 * or lossy WebP.
 */
export async function makePicture(job: Job, seed = 1): Promise<Buffer> {
  const { format } = job
  const picture = draw(job, seed)
  if (format === 'png') return picture.png().toBuffer()
  if (format === 'webp') return picture.webp({ quality: 85 }).toBuffer()
  if (format === 'cmyk') {
    return picture.toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 92 }).toBuffer()
  }
  const options = { quality: 92, chromaSubsampling: '4:2:0', progressive: format === 'progressive' }
  return picture.jpeg(options).toBuffer()
}

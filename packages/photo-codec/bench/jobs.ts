/** The pictures that are measured. Each is generated, identically in every run. */
import sharp from 'sharp'
import { encodePng } from '../fixtures/png.ts'
import { seeded } from '../fixtures/random.ts'
import { drawScene } from '../fixtures/scene.ts'

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
  /** Of a PNG that is not 8-bit RGB with rows as they are. */
  png?: PngKind
}

interface PngKind {
  /** 16 bits a sample, of which the lower 8 are noise. */
  deep?: true
  alpha?: true
  interlaced?: true
  /** Each row with the filter that suits it best. */
  filtered?: true
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
  ...pngJobs(),
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

/** All kinds of PNG that have more than a byte a pixel. */
function pngJobs(): Job[] {
  const kinds: [name: string, title: string, png: PngKind][] = [
    ['rgb', 'RGB', {}],
    ['rgba', 'RGBA', { alpha: true }],
    ['adam7', 'RGB, interlaced', { interlaced: true }],
    ['rgb16', '16-bit RGB', { deep: true }],
    ['rgba16', '16-bit RGBA', { deep: true, alpha: true }],
  ]
  return kinds.flatMap(([name, title, png]) => [
    { ...job('2', 1632, 1224, 'png'), name: `2-png-${name}`, title: `2 MP PNG, ${title}`, png },
    {
      ...job('2', 1632, 1224, 'png'),
      name: `2-png-${name}-filtered`,
      title: `2 MP PNG, ${title}, filtered`,
      png: { ...png, filtered: true as const },
    },
  ])
}

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
 * The file of a job. JPEGs have quality 92, with 4:2:0 chroma or with the inks and the profile of a press. PNGs are 8-bit
 * RGB unless the job says otherwise; WebPs are lossy.
 */
export async function makePicture(job: Job, seed = 1): Promise<Buffer> {
  const { format } = job
  const picture = draw(job, seed)
  if (format === 'png') return writePng(picture, job.png)
  if (format === 'webp') return picture.webp({ quality: 85 }).toBuffer()
  if (format === 'cmyk') {
    return picture.toColourspace('cmyk').withIccProfile('cmyk').jpeg({ quality: 92 }).toBuffer()
  }
  const options = { quality: 92, chromaSubsampling: '4:2:0', progressive: format === 'progressive' }
  return picture.jpeg(options).toBuffer()
}

async function writePng(picture: sharp.Sharp, kind: PngKind = {}): Promise<Buffer> {
  const options = { adaptiveFiltering: kind.filtered === true, progressive: kind.interlaced === true }
  if (!kind.deep && !kind.alpha) return picture.png(options).toBuffer()
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true })
  const channels = kind.alpha ? 4 : 3
  const random = seeded(1)
  const samples = Uint16Array.from({ length: info.width * info.height * channels }, (_, i) => {
    const channel = i % channels
    const pixel = Math.floor(i / channels)
    // Half of the picture is opaque, the rest fades to the right.
    if (channel === 3) return Math.min(65_535, ((info.width - (pixel % info.width)) * 131_070) / info.width)
    return (data[pixel * 3 + channel] ?? 0) * 256 + random.int(0, 255)
  })
  const { width, height } = info
  if (kind.deep) {
    return sharp(samples, { raw: { width, height, channels } }).toColourspace('rgb16').png(options).toBuffer()
  }
  return sharp(
    Uint8Array.from(samples, (sample) => sample >> 8),
    { raw: { width, height, channels } },
  )
    .png(options)
    .toBuffer()
}

/** The entries whose names are listed, in their own order; all without a list. */
export function chosen<T extends { name: string }>(all: readonly T[], list: string | undefined): T[] {
  const names = list?.split(',') ?? all.map(({ name }) => name)
  const unknown = names.filter((name) => !all.some((one) => one.name === name))
  if (unknown.length > 0)
    throw new Error(`Unknown: ${unknown}. There is ${all.map(({ name }) => name).join(', ')}`)
  return all.filter(({ name }) => names.includes(name))
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

/** The calls that take the most memory, and how to check that each did what it was to do. */
import { type Answered, doesExport, doesFeed, ignoresNote, isWebp, orIsBusy, storesPhotos } from './checks.ts'
import { belowLargeJpeg, largestJpeg, progressiveJpeg, squareJpeg } from './pictures.ts'

export interface MemoryCall {
  title: string
  /** Listings in the agency that is asked; varied ones have places, texts and photos. */
  listings: number | { varied: number }
  path: string
  /** Makes what is asked for, by a body sent to a path, and returns its path. */
  prepare?: (send: (path: string, body: unknown) => Promise<Response>) => Promise<string>
  /** Asked by GET without one. */
  body?: { type: string; bytes: Buffer | string }
  /** Asked for at the same time and once more after it, by GET, which loads the index of listings; its answer does not count. */
  beside?: string
  /** Megabytes of heap that it needs, if more than usual. */
  heap?: number
  /** How many of the same are made at once, 1 by default. */
  times?: number
  /** The stored picture of `STORED_PHOTO`. */
  stored?: Buffer
  /** Reads an answer. Throws unless everything was done. */
  check: (answer: Answered) => Promise<void>
}

/** Makes a call, its pictures and all. */
type MakeCall = () => Promise<MemoryCall>

const PHOTOS = '/api/listings/1/photos'

/** The key of the picture that smaller copies are made of. */
export const STORED_PHOTO = `photos/${'0'.repeat(32)}.jpg`
const BOUNDARY = 'photo-boundary'

/** The calls by their names. */
export const MEMORY_CALLS: Record<string, MakeCall> = {
  base64: async () => photoCall('20 MB JPEG of 48 MP in base64', inBase64(await largestJpeg())),
  multipart: async () => photoCall('20 MB JPEG of 48 MP in a form', inForm(await largestJpeg())),
  progressive: async () => photoCall('64 MP progressive JPEG as the body', raw(await progressiveJpeg())),
  'below-large': async () =>
    photoCall('eight calls at once, a 15.9 MP JPEG each', { ...raw(await belowLargeJpeg()), times: 8 }),
  loading: async () => ({
    ...sizeCall(
      '64 MP progressive JPEG made a WebP of 1,280 pixels while and before a search loads its index',
      await progressiveJpeg(),
      'w=1280&format=webp',
    ),
    beside: '/api/listings/facets',
  }),
  queued: async () => ({
    ...photoCall('25 calls at once, a 20 MB JPEG of 48 MP each', { ...raw(await largestJpeg()), times: 25 }),
    check: orIsBusy(storesPhotos(1)),
  }),
  'size-own': async () =>
    sizeCall('1920 × 1920 JPEG of 16 MB made a WebP of its size', await squareJpeg(), 'format=webp'),
  json: async () => ({
    ...photoCall(
      '28 MB of JSON without a photo',
      inJson({ photos: [], note: 'x'.repeat(27.9 * 1024 * 1024) }, 0),
    ),
    check: ignoresNote,
    // The text, and the note that is parsed of it.
    heap: 64,
  }),
  export: async () => ({
    title: 'export of 100,000 listings',
    listings: 100_000,
    path: '/admin/export',
    check: doesExport(100_000),
  }),
  feed: async () => ({
    title: 'Kyero feed of 100,000 properties',
    // Of these, some 137,000 are active, and a Kyero feed has 100,000.
    listings: { varied: 152_000 },
    path: '/admin/feeds',
    prepare: (send) => makeFeed(send, { format: 'kyero' }),
    check: doesFeed(100_000),
  }),
}

type Send = Parameters<NonNullable<MemoryCall['prepare']>>[0]

/** Makes a feed and returns its path. */
async function makeFeed(send: Send, values: object): Promise<string> {
  const answer = await send('/admin/feeds', { name: 'Portal', ...values })
  const { data } = (await answer.json()) as { data: { url: string } }
  return new URL(data.url).pathname
}

function sizeCall(title: string, stored: Buffer, query: string): MemoryCall {
  return { title, listings: 1000, path: `/${STORED_PHOTO}?${query}`, stored, check: isWebp }
}

/** What a call with photos consists of. */
type Upload = Pick<MemoryCall, 'body' | 'times'> & { photos: number }

function photoCall(title: string, { photos, ...upload }: Upload): MemoryCall {
  return { title, listings: 1000, path: PHOTOS, ...upload, check: storesPhotos(photos) }
}

function raw(bytes: Buffer): Upload {
  return { body: { type: 'image/jpeg', bytes }, photos: 1 }
}

function inBase64(bytes: Buffer): Upload {
  return inJson({ photos: [{ data: bytes.toString('base64') }] }, 1)
}

function inJson(value: unknown, photos: number): Upload {
  return { body: { type: 'application/json', bytes: JSON.stringify(value) }, photos }
}

function inForm(bytes: Buffer): Upload {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n`
  const form = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)])
  return { body: { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes: form }, photos: 1 }
}

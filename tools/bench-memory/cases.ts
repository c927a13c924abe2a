/** The calls that take the most memory, and how to check that each did what it was to do. */
import {
  type Answered,
  doesExport,
  doesFeed,
  doesImport,
  ignoresNote,
  isWebp,
  orIsBusy,
  stopsReading,
  storesPhotos,
} from './checks.ts'
import {
  belowLargeJpeg,
  largestJpeg,
  largestPng,
  panoramaJpeg,
  phoneJpeg,
  progressiveJpeg,
  squareJpeg,
} from './pictures.ts'

export interface MemoryCall {
  title: string
  /** Listings in the agency that is asked; varied ones have places, texts and photos. */
  listings: number | { varied: number }
  path: string
  /** Makes what is asked for, by a body sent to a path, and returns its path. */
  prepare?: (send: (path: string, body: unknown) => Promise<Response>) => Promise<string>
  /** Asked by GET without one. */
  body?: { type: string; bytes: Buffer | string }
  /** Asked for at the same time, again and again, and once more after it, by GET; what it answers does not count. */
  beside?: string
  /** Whether the index of listings is not loaded before, but by what is asked beside, once. */
  isCold?: true
  /** Megabytes of heap that it needs, if more than usual. */
  heap?: number
  /** How many of the same are made at once, 1 by default. */
  times?: number
  /** How many other pictures with the same bytes are stored, and asked for at the same time. */
  others?: number
  /** What a photo's address is answered with. */
  outside?: Buffer
  /** The stored picture of `STORED_PHOTO`. */
  stored?: Buffer
  /** Reads an answer. Throws unless everything was done. */
  check: (answer: Answered) => Promise<void>
}

/** Makes a call, its pictures and all. */
type MakeCall = () => Promise<MemoryCall>

const PHOTOS = '/api/listings/1/photos'

/** The key of the picture that smaller copies are made of. */
export const STORED_PHOTO = storedPhoto(0)

/** The keys of pictures with the same bytes. */
export function storedPhoto(index: number): string {
  return `photos/${String(index).padStart(32, '0')}.jpg`
}
const BOUNDARY = 'photo-boundary'

/** The calls by their names. */
export const MEMORY_CALLS: Record<string, MakeCall> = {
  base64: async () => photoCall('20 MB JPEG of 48 MP in base64', inBase64(await largestJpeg())),
  raw: async () => photoCall('20 MB JPEG of 48 MP as the body', raw(await largestJpeg())),
  multipart: async () => photoCall('20 MB JPEG of 48 MP in a form', inForm(await largestJpeg(), 1)),
  url: async () => photoCall('20 MB JPEG of 48 MP by its address', byAddress(await largestJpeg(), 1)),
  progressive: async () => photoCall('64 MP progressive JPEG as the body', raw(await progressiveJpeg())),
  png: async () => photoCall('64 MP PNG as the body', raw(await largestPng())),
  ten: async () => photoCall('ten 12 MP JPEGs by their addresses', byAddress(await phoneJpeg(), 10)),
  form: async () => photoCall('ten 12 MP JPEGs in a form', inForm(await phoneJpeg(), 10)),
  calls: async () =>
    photoCall('ten calls at once, a 12 MP JPEG each', { ...raw(await phoneJpeg()), times: 10 }),
  'below-large': async () =>
    photoCall('eight calls at once, a 15.9 MP JPEG each', { ...raw(await belowLargeJpeg()), times: 8 }),
  loading: async () => ({
    ...sizeCall(
      '64 MP progressive JPEG made a WebP of 1,280 pixels while and before a search loads its index',
      await progressiveJpeg(),
      'w=1280&format=webp',
    ),
    ...{ beside: '/api/listings/facets', isCold: true },
  }),
  following: async () => ({
    ...sizeCall(
      '64 MP progressive JPEG made a WebP of 1,280 pixels while searches read what has changed',
      await progressiveJpeg(),
      'w=1280&format=webp',
    ),
    beside: '/api/listings/facets',
    // A load that was ended holds the answer of D1 that it awaits, while another is begun.
    heap: 64,
  }),
  queued: async () => ({
    ...photoCall('25 calls at once, a 20 MB JPEG of 48 MP each', { ...raw(await largestJpeg()), times: 25 }),
    check: orIsBusy(storesPhotos(1)),
  }),
  'queued-sizes': async () => ({
    ...sizeCall(
      '25 panoramas at once made WebPs of 1,280 pixels',
      await panoramaJpeg(),
      'w=1280&format=webp',
    ),
    others: 24,
    check: orIsBusy(isWebp),
  }),
  'size-progressive': async () =>
    sizeCall(
      '64 MP progressive JPEG made a WebP of 1,280 pixels',
      await progressiveJpeg(),
      'w=1280&format=webp',
    ),
  'size-png': async () =>
    sizeCall('64 MP PNG made a WebP of 1,280 pixels', await largestPng(), 'w=1280&format=webp'),
  'size-own': async () =>
    sizeCall('1920 × 1920 JPEG of 16 MB made a WebP of its size', await squareJpeg(), 'format=webp'),
  json: async () => ({
    ...photoCall('28 MB of JSON without a photo', withNote(27.9 * 1024 * 1024)),
    check: ignoresNote,
    // The text, and the note that is parsed of it.
    heap: 64,
  }),
  import: async () => ({
    title: 'import of 1,000 lines and 8 MB',
    listings: 1000,
    path: '/admin/import',
    body: { type: 'application/x-ndjson', bytes: importLines() },
    check: doesImport(1000),
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
  'readers-kept': async () => ({
    ...readersOf('sitemap in 24 languages', READERS),
    prepare: async (send) => {
      for (let id = 100; id < 122; id++)
        await send('/admin/import', {
          entity: 'languages',
          data: { id, code: `x${id}`, name: `Language ${id}` },
        })
      const page_url = 'https://www.agency.example/{language}/listings/{id}'
      return (await makeFeed(send, { format: 'sitemap', page_url })).replace('sitemap.xml', 'sitemap-1.xml')
    },
  }),
  'readers-made': async () => ({
    ...readersOf('JSON Feed', MAX_STREAMS),
    prepare: (send) => makeFeed(send, { format: 'json' }),
  }),
}

type Send = Parameters<NonNullable<MemoryCall['prepare']>>[0]

/** Makes a feed and returns its path. */
async function makeFeed(send: Send, values: object): Promise<string> {
  const answer = await send('/admin/feeds', { name: 'Portal', ...values })
  const { data } = (await answer.json()) as { data: { url: string } }
  return new URL(data.url).pathname
}

/** Readers who stop, and how many of them are served at once where a feed is made as it is read. */
const READERS = 40
const MAX_STREAMS = 8

function readersOf(what: string, served: number): MemoryCall {
  return {
    title: `${what}: ${READERS} readers that stop`,
    ...{ listings: { varied: 20_000 }, path: '/admin/feeds', times: READERS },
    check: stopsReading(READERS, served),
  }
}

function sizeCall(title: string, stored: Buffer, query: string): MemoryCall {
  return { title, listings: 1000, path: `/${STORED_PHOTO}?${query}`, stored, check: isWebp }
}

/** What a call with photos consists of. */
type Upload = Pick<MemoryCall, 'body' | 'outside' | 'times'> & { photos: number }

function photoCall(title: string, { photos, ...upload }: Upload): MemoryCall {
  return { title, listings: 1000, path: PHOTOS, ...upload, check: storesPhotos(photos) }
}

function raw(bytes: Buffer): Upload {
  return { body: { type: 'image/jpeg', bytes }, photos: 1 }
}

function inBase64(bytes: Buffer): Upload {
  return inJson({ photos: [{ data: bytes.toString('base64') }] }, 1)
}

function byAddress(outside: Buffer, photos: number): Upload {
  const addresses = Array.from({ length: photos }, (_, index) => `https://pictures.example/${index}.jpg`)
  return { ...inJson({ photos: addresses }, photos), outside }
}

function withNote(length: number): Upload {
  return inJson({ photos: [], note: 'x'.repeat(length) }, 0)
}

function inJson(value: unknown, photos: number): Upload {
  return { body: { type: 'application/json', bytes: JSON.stringify(value) }, photos }
}

function inForm(bytes: Buffer, photos: number): Upload {
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="photos"; filename="a.jpg"\r\n\r\n`
  const parts = Array.from({ length: photos }, () => [Buffer.from(head), bytes, Buffer.from('\r\n')])
  const form = Buffer.concat([...parts.flat(), Buffer.from(`--${BOUNDARY}--\r\n`)])
  return { body: { type: `multipart/form-data; boundary=${BOUNDARY}`, bytes: form }, photos }
}

/** Contacts with as long notes as the request has room for. */
function importLines(): string {
  const notes = 'Σημείωση '.repeat(480)
  const lines = Array.from({ length: 1000 }, (_, index) =>
    JSON.stringify({
      entity: 'contacts',
      data: { id: 50_000 + index, first_name: 'Άννα', last_name: `Επαφή ${index}`, created_by: 1, notes },
    }),
  )
  return `${lines.join('\n')}\n`
}

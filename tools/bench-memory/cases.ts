/** The calls that take the most memory. */
import { largestJpeg, largestPng, phoneJpeg, progressiveJpeg } from './pictures.ts'

export interface MemoryCall {
  title: string
  /** Listings in the agency that is asked. */
  listings: number
  path: string
  /** Asked by GET without one. */
  body?: { type: string; bytes: Buffer | string }
  /** What a photo's address is answered with. */
  outside?: Buffer
  /** Set where the service may not know such a body: a refusal with 400 is no failure then. */
  mayBeRefused?: true
  /** Whether the answer tells that everything was done. */
  isDone: (answer: string) => boolean
}

const PHOTOS = '/api/listings/1/photos'
const JSON_TYPE = 'application/json'
const SMALL = 1000

const succeeds = (answer: string) => answer.includes('"success":true') && !answer.includes('"success":false')

/** Makes each call, pictures and all, by its name. */
export function memoryCalls(): Record<string, () => Promise<MemoryCall>> {
  return {
    base64: async () => photoCall('20 MB JPEG in base64', inBase64(await largestJpeg())),
    url: async () => addressCall('20 MB JPEG by its address', await largestJpeg(), 1),
    raw: async () => rawCall('20 MB JPEG as the body', await largestJpeg()),
    multipart: async () => formCall('20 MB JPEG in a form', await largestJpeg()),
    progressive: async () => addressCall('64 MP progressive JPEG', await progressiveJpeg(), 1),
    png: async () => addressCall('64 MP PNG', await largestPng(), 1),
    ten: async () => addressCall('ten 12 MP photos by their addresses', await phoneJpeg(), 10),
    json: async () => ({
      ...photoCall(
        '28 MB of JSON without a photo',
        JSON.stringify({ photos: [], note: 'x'.repeat(27_900_000) }),
      ),
      isDone: () => true,
    }),
    import: async () => ({
      title: 'import of 1,000 lines and 8 MB',
      listings: SMALL,
      path: '/admin/import',
      body: { type: 'application/x-ndjson', bytes: importLines() },
      isDone: (answer) => answer.includes('"rejected":0'),
    }),
    export: async () => ({
      title: 'export of 100,000 listings',
      listings: 100_000,
      path: '/admin/export',
      isDone: (answer) => answer.includes('"entity":"listings"'),
    }),
  }
}

function photoCall(title: string, body: string): MemoryCall {
  return { title, listings: SMALL, path: PHOTOS, body: { type: JSON_TYPE, bytes: body }, isDone: succeeds }
}

function inBase64(bytes: Buffer): string {
  return JSON.stringify({ photos: [{ data: bytes.toString('base64') }] })
}

function addressCall(title: string, outside: Buffer, count: number): MemoryCall {
  const photos = Array.from({ length: count }, (_, index) => `https://pictures.example/${index}.jpg`)
  return { ...photoCall(title, JSON.stringify({ photos })), outside }
}

function rawCall(title: string, bytes: Buffer): MemoryCall {
  return { ...photoCall(title, ''), body: { type: 'image/jpeg', bytes }, mayBeRefused: true }
}

function formCall(title: string, bytes: Buffer): MemoryCall {
  const boundary = 'photo-boundary'
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="photo"; filename="a.jpg"\r\n\r\n`
  const form = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const body = { type: `multipart/form-data; boundary=${boundary}`, bytes: form }
  return { ...photoCall(title, ''), body, mayBeRefused: true }
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

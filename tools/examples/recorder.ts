/** Records calls to the demo agency as examples of the document: the same bytes every time. */
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { panorama } from '../../demo/panorama.ts'
import { watermark } from '../../demo/pictures.ts'
import type { Example, Examples, Recorded } from '../../src/openapi/examples.ts'
import { ADMIN_TOKEN, http } from '../../test/node/service.ts'

/** A call worth an example. */
export interface Call {
  /** `GET /api/listings?search=RES-00089`; `{made}` is the id of what was made last. */
  call: string
  /** What it shows. */
  summary: string
  body?: unknown
  /** Bytes to send in place of JSON. */
  bytes?: () => Uint8Array
  headers?: Record<string, string>
  /** Entries or lines of the answer that are kept. */
  keep?: number
}

/** Calls by operation and name; where an answer is an error, its text is recorded. */
export type Calls = Record<string, Record<string, Call>>

/** What stands in examples for the service, for pictures elsewhere, and for now. */
const ORIGIN = 'https://estia.example'
export const PICTURES = 'https://pictures.example'
const NOW = '2026-11-16 10:30:00'

interface Service {
  url: URL
  key: string
}

/**
 * Makes the calls one after the other.
 * @param since when the service was started, in milliseconds: later moments are "now"
 */
export async function recordExamples(service: Service, since: number, calls: Calls): Promise<Examples> {
  const pictures = await servePictures()
  const steady = steadyText(service, since, pictures.origin)
  const examples: Examples = {}
  let made = ''
  for (const [operation, named] of Object.entries(calls)) {
    const recorded: Recorded = {}
    for (const [name, call] of Object.entries(named)) {
      const answer = await makeCall(service, call, made, pictures.origin)
      if (call.call.startsWith('POST')) made = /"(?:id|created_id)":"?(\w+)/.exec(answer.text)?.[1] ?? made
      note(recorded, name, call, answer.status, shorten(steady(answer.text), call.keep))
    }
    examples[operation] = recorded
  }
  pictures.close()
  return examples
}

function makeCall(
  { url, key }: Service,
  { call, body, bytes, headers }: Call,
  made: string,
  picturesOrigin: string,
): Promise<{ status: number; text: string }> {
  const [method = '', path = ''] = call.replace('{made}', made).split(' ')
  const json = typeof body === 'string' ? body : JSON.stringify(body)
  return http(new URL(path, url), method, {
    body: bytes ? Buffer.from(bytes()) : json?.replaceAll(PICTURES, picturesOrigin),
    headers: { Authorization: `Bearer ${path.startsWith('/admin/') ? ADMIN_TOKEN : key}`, ...headers },
  })
}

/** Adds an answer to what is recorded of an operation. */
function note(recorded: Recorded, name: string, { summary, body }: Call, status: number, text: string): void {
  const value = text.startsWith('{') ? parsed(text) : text
  if (status !== 200) {
    const { error_message } = value as { error_message: string }
    recorded.errors = { ...recorded.errors, [status]: [...(recorded.errors?.[status] ?? []), error_message] }
    return
  }
  const example = (shown: unknown): Record<string, Example> => ({ [name]: { summary, value: shown } })
  if (body !== undefined) recorded.request = { ...recorded.request, ...example(body) }
  recorded.reply = { ...recorded.reply, ...example(value) }
}

/** The JSON, or the text where it is lines of JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The first entries of a lookup, the first lines of a text. */
function shorten(text: string, keep: number | undefined): string {
  if (keep === undefined) return text
  const value = parsed(text)
  if (typeof value === 'string')
    return text
      .split('\n')
      .slice(0, keep)
      .map((line) => `${line}\n`)
      .join('')
  const { data, ...rest } = value as { data: unknown[] }
  return JSON.stringify({ ...rest, data: data.slice(0, keep) })
}

/** Replaces what is another one every time: addresses, random names, keys, and moments of this run. */
function steadyText({ url }: Service, since: number, picturesOrigin: string): (text: string) => string {
  const start = momentOf(since)
  const known = new Map<string, string>()
  const standIn = (random: string) => {
    const made = known.get(random) ?? createHash('sha256').update(String(known.size)).digest('hex')
    known.set(random, made)
    return made.slice(0, random.length)
  }
  return (text) =>
    text
      .replaceAll(url.origin, ORIGIN)
      .replaceAll(picturesOrigin, PICTURES)
      .replace(/(?<=(photos|watermarks|files|tours)\/)[0-9a-f]{32}/g, standIn)
      .replace(/(?<="estia_)[0-9a-f]+/g, standIn)
      .replace(/(?<="(id|deleted_id)":")[0-9a-f]{16}(?=")/g, standIn)
      .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/g, (moment) =>
        moment >= start && moment <= momentOf(Date.now() + 1000) ? NOW : moment,
      )
}

function momentOf(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}

/** A site whose every `.png` is a picture, and nothing else. */
async function servePictures(): Promise<{ origin: string; close: () => void }> {
  const server = createServer(({ url }, answer) => {
    if (!url?.endsWith('.png')) answer.writeHead(404).end()
    else
      answer
        .writeHead(200, { 'Content-Type': 'image/png' })
        .end(url.includes('360') ? panorama() : watermark())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { origin: `http://127.0.0.1:${port}`, close: () => server.close() }
}

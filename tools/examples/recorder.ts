/** Records calls to the demo agency as examples of the OpenAPI document, reproducible byte for byte. */

import { createHash } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { readPhoto } from '../../demo/pictures.ts'
import { RECORD_RESOURCES } from '../../src/catalogue/resources.ts'
import { CREATE_ENQUIRIES, PUBLIC_LISTINGS } from '../../src/catalogue/scopes.ts'
import { API_VERSION } from '../../src/http/version.ts'
import type { Example, Examples, Recorded } from '../../src/openapi/examples.ts'
import { ADMIN_TOKEN, type AgencyService, askAgency, KEY, startAgency } from '../runtime/agency.ts'
import { http } from '../runtime/http.ts'
import { ADMIN, BACKUP_DIGEST, PREPARATION } from './admin.ts'
import { type Calls, type ExampleCall, list, lookup } from './calls.ts'
import { MONEY_WRITES } from './money.ts'
import { READS } from './reads.ts'
import { EXAMPLE_WRITES } from './writes.ts'

/** Replace the address of the service and the current time in examples. */
const ORIGIN = 'https://estia.example'
const NOW = '2026-11-16 10:30:00'
/** Replaces times of the next day. */
const TOMORROW = '2026-11-17 10:30:00'
/** Replaces ids of requests. */
const REQUEST_ID = '0f5e8f4e-7f0c-4c1b-9d3a-2b6f1c8e7a90'
/** Replaces secrets of webhooks, in base64. */
const SECRET = Buffer.from('not a secret, but as long as one').toString('base64')
/** Replaces the day on which nothing is left of an erased person. */
const GONE_BY = '2026-12-17'

const DECLARED: Calls = { ...PREPARATION, ...EXAMPLE_WRITES, ...MONEY_WRITES, ...READS }

/** The history of each record that is read. */
const HISTORIES = RECORD_RESOURCES.flatMap(({ one, history }): [string, Calls[string]][] => {
  const name = one.replace(/ (.)/, (_, letter: string) => letter.toUpperCase())
  const path = DECLARED[`get${name}`]?.one?.call.replace('GET ', '')
  return history && path ? [[`list${name}History`, list(`${path}/history`, 'per_page=1', 'page=x')]] : []
})

/** All calls, with one of each list of the document that has no pages and is not declared. */
async function allCalls(url: URL): Promise<Calls> {
  type Operation = { operationId: string; parameters?: { $ref?: string }[] }
  const { text } = await http(new URL('/openapi.json', url), 'GET')
  const paths: Record<string, { get?: Operation }> = JSON.parse(text).paths
  const plain = Object.entries(paths).flatMap(([path, { get }]): [string, Calls[string]][] => {
    const isPlain =
      /^\/api\/[^{]*$/.test(path) && get && !get.parameters?.some(({ $ref }) => $ref?.endsWith('/Page'))
    return isPlain && !DECLARED[get.operationId] ? [[get.operationId, lookup(path)]] : []
  })
  return { ...DECLARED, ...Object.fromEntries([...HISTORIES, ...plain]), ...ADMIN }
}

/** A backup of the demo agency; recording makes none, as it would have another digest each time. */
const BACKUP = {
  name: '2026-11-16',
  version: API_VERSION,
  schema: '0016_people_and_trail.sql',
  date_started: '2026-11-16 03:17:00',
  date_finished: '2026-11-16 03:18:00',
  counts: { stores: 3, contacts: 400, listings: 300 },
  parts: [{ name: 'part-001.ndjson.gz', bytes: 260_314, sha256: 'e3b0c442'.repeat(8), lines: 1610 }],
}

/** Starts a service with the demo agency and a backup from which it is being restored, and a site with pictures. */
export async function startExampleAgency(): Promise<AgencyService> {
  const service = await startService()
  const bucket = await service.miniflare.getR2Bucket('BACKUPS')
  await bucket.put(`${BACKUP.name}/manifest.json`, JSON.stringify(BACKUP))
  const db = await service.miniflare.getD1Database('DB')
  const marking = db.prepare('insert into restores (id, backup, digest, date_started) values (1, ?, ?, ?)')
  await marking.bind(BACKUP.name, BACKUP_DIGEST, NOW).run()
  await bucket.put('erased.json', JSON.stringify([{ id: 212, date: '2026-11-02 09:14:00' }]))
  return service
}

function startService(): Promise<AgencyService> {
  return startAgency(null, undefined, async ({ url, method }) => {
    // A receiver of webhooks.
    if (method === 'POST') return new Response(null, { status: 204 })
    if (url.endsWith('gone.jpg')) return new Response('Not here', { status: 404 })
    const picture = await readPhoto(url.includes('360') ? 'panorama-living' : 'living-blue')
    return new Response(picture, { headers: { 'Content-Type': 'image/jpeg' } })
  })
}

/**
 * Makes all calls in order and records their replies.
 * @param since when the service was started, as `Date.now()`: later times are replaced by "now"
 */
export async function recordExamples({ url }: AgencyService, since: number): Promise<Examples> {
  const reproducible = reproducibleText(url, since)
  const examples: Examples = {}
  /** The id of the record created last. */
  let created = ''
  // Not before the first call for visitors: the service is being restored until then.
  let publishableKey: Promise<string> | undefined
  for (const [operation, named] of Object.entries(await allCalls(url))) {
    const recorded: Recorded = {}
    for (const [name, call] of Object.entries(named)) {
      if (call.isVisitors) publishableKey ??= makePublishableKey(url)
      const answer = await makeCall(url, call, created, await publishableKey)
      if (call.call.startsWith('POST'))
        created = /"(?:id|created_id)":"?(\w+)/.exec(answer.text)?.[1] ?? created
      addReply(recorded, name, call, answer.status, shorten(reproducible(answer.text), call.keep))
    }
    examples[operation] = recorded
  }
  return examples
}

async function makeCall(
  url: URL,
  { call, body, bytes, headers, isVisitors }: ExampleCall,
  created: string,
  publishableKey: string | undefined,
): Promise<{ status: number; text: string }> {
  const [method = '', path = ''] = call.replace('{created}', created).split(' ')
  const key = path.startsWith('/admin/') ? ADMIN_TOKEN : isVisitors ? publishableKey : KEY
  return http(new URL(path, url), method, {
    body: bytes ? Buffer.from(await bytes()) : typeof body === 'string' ? body : JSON.stringify(body),
    headers: { Authorization: `Bearer ${key}`, ...headers },
  })
}

/** The key of a website that shows every active listing and takes enquiries. */
async function makePublishableKey(url: URL): Promise<string> {
  const scopes = [PUBLIC_LISTINGS, CREATE_ENQUIRIES]
  const { data } = await askAgency({ url }, 'POST', '/admin/keys', { name: 'Pages', scopes })
  // Keys of one second are listed by their ids, which are random.
  await setTimeout(1000)
  return data.key
}

/** Adds a reply to the examples of an operation. */
function addReply(
  recorded: Recorded,
  name: string,
  { summary, body, isVisitors }: ExampleCall,
  status: number,
  text: string,
): void {
  const value = text.startsWith('{') ? parse(text) : text
  if (status !== 200) {
    const { error_message } = value as { error_message: string }
    recorded.errors = { ...recorded.errors, [status]: [...(recorded.errors?.[status] ?? []), error_message] }
    return
  }
  const example = (shown: unknown): Record<string, Example> => ({ [name]: { summary, value: shown } })
  if (body !== undefined) recorded.request = { ...recorded.request, ...example(body) }
  const kind = isVisitors ? 'visitors' : 'reply'
  recorded[kind] = { ...recorded[kind], ...example(value) }
}

/** The parsed JSON, or the text itself if it is lines of JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The first `keep` entries of a list, or lines of a text; the whole text without `keep`. */
function shorten(text: string, keep: number | undefined): string {
  if (keep === undefined) return text
  const value = parse(text)
  if (typeof value === 'string')
    return text
      .split('\n')
      .slice(0, keep)
      .map((line) => `${line}\n`)
      .join('')
  const { data, ...rest } = value as { data: unknown[] }
  return JSON.stringify({ ...rest, data: data.slice(0, keep) })
}

/** A function that replaces what differs in every run: addresses, random names, keys and times. */
function reproducibleText(url: URL, since: number): (text: string) => string {
  const start = momentOf(since)
  const known = new Map<string, string>()
  const replacementFor = (random: string) => {
    const replacement = known.get(random) ?? createHash('sha256').update(String(known.size)).digest('hex')
    known.set(random, replacement)
    return replacement.slice(0, random.length)
  }
  return (text) =>
    text
      .replaceAll(url.origin, ORIGIN)
      .replace(/(?<=(photos|watermarks|files|tours|feeds|calendars)\/)[0-9a-f]{32}/g, replacementFor)
      .replace(/(?<=")[0-9a-f]{12}(?=-[0-9a-f]{14})/g, replacementFor)
      .replace(/(?<="estia_(pub_)?)[0-9a-f]+/g, replacementFor)
      .replace(/(?<="reference":")\w{10}(?=")/g, (reference) => replacementFor(reference).toUpperCase())
      .replace(/(?<="request_id":")[0-9a-f-]{36}(?=")/g, REQUEST_ID)
      .replace(/(?<="gone_by":")[\d-]{10}(?=")/g, GONE_BY)
      .replace(/(?<="database":\{"bytes":)\d+/g, '3256320')
      .replace(/(?<="msg_)[0-9a-f]{32}/g, replacementFor)
      .replace(/(?<="whsec_)[A-Za-z0-9+/=]+/g, SECRET)
      .replace(/(?<="old_secret_expires":")[^"]+/g, TOMORROW)
      .replace(/(?<="last_used":")[^"]+/g, NOW.replace(/\d\d:\d\d$/, '00:00'))
      .replace(/(?<="milliseconds":)\d+/g, '42')
      .replace(/(?<="(erased_)?position":)\d{13}/g, String(Date.parse(`${NOW}Z`)))
      .replace(/(?<="(id|record_id|updated_id|deleted_id)":")[0-9a-f]{16}(?=")/g, replacementFor)
      .replace(/\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}/g, (moment) =>
        moment >= start && moment <= momentOf(Date.now() + 1000) ? NOW : moment,
      )
}

function momentOf(time: number): string {
  return new Date(time).toISOString().slice(0, 19).replace('T', ' ')
}

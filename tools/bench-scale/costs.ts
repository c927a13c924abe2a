/** What calls ask of storage, and what Cloudflare takes for them. */
import { readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { ADMIN_TOKEN, type AgencyService, KEY } from '../runtime/agency.ts'
import type { Counts } from './worker.ts'

/** Prices of the Workers Paid plan for a million beyond what it includes, in dollars. */
const PRICES = {
  requests: 0.3,
  rowsRead: 0.001,
  rowsWritten: 1,
  keys: 0.5,
  classA: 4.5,
  classB: 0.36,
  log: 0.6,
}

/** How long work after an answer may take, in milliseconds. */
const AFTERWARDS = 400
/** Calls that are counted, if not one. */
const TIMES = 5

const PORTAL = { name: 'Portal', format: 'kyero', page_url: 'https://agency.example/{language}/{id}' }

interface Call {
  title: string
  method?: string
  path: string
  /** A function makes another one for each call. */
  body?: unknown
  headers?: Record<string, string>
  /** Counts the first call alone: the later ones find what it has stored. */
  isFirst?: true
  /** Pictures that are answered write no line of the log. */
  isPicture?: true
}

type Send = (call: Call) => Promise<Response>

/**
 * A table of what each call costs.
 * @param id a listing that gets a photo, and another price
 * @param settle does what earlier calls have left to cron
 */
export async function reportCallCosts(
  service: AgencyService,
  id: number,
  settle: () => Promise<void>,
): Promise<string> {
  const send: Send = ({ method = 'GET', path, body, headers = {} }) =>
    fetch(new URL(path, service.url), {
      method,
      headers: { Authorization: `Bearer ${path.startsWith('/admin') ? ADMIN_TOKEN : KEY}`, ...headers },
      ...(body === undefined ? {} : { body: bytesOf(typeof body === 'function' ? body() : body) }),
    })
  const calls = await callsOf(send, id)
  const rows: string[] = []
  for (const call of calls) {
    await settle()
    rows.push(await costOf(send, call))
  }
  const head = '| call | rows read | rows written | KV | R2 A | R2 B | a million calls |'
  return [head, '| --- | ---: | ---: | ---: | ---: | ---: | ---: |', ...rows].join('\n')
}

function bytesOf(body: unknown): string | Uint8Array<ArrayBuffer> {
  return body instanceof Uint8Array ? new Uint8Array(body) : JSON.stringify(body)
}

async function callsOf(send: Send, id: number): Promise<Call[]> {
  const listing = { category: 'residential', availability: 'sale', store_id: 1, created_by: 1, users: [1] }
  const photo = new Uint8Array(readFileSync('demo/photos/pool-white.jpg'))
  const upload = { method: 'POST', path: `/api/listings/${id}/photos`, body: photo }
  const jpeg = { 'Content-Type': 'image/jpeg' }
  await send({ title: '', ...upload, headers: jpeg })
  const read = (await (await send({ title: '', path: `/api/listings/${id}` })).json()) as {
    data: { photos: { original_image: string }[] }
  }
  const picture = new URL(read.data.photos.at(-1)?.original_image ?? '', 'http://x').pathname
  const feed = (await (
    await send({ title: '', method: 'POST', path: '/admin/feeds', body: PORTAL })
  ).json()) as { data: { url: string } }
  const feedPath = new URL(feed.data.url).pathname
  // Above what any request would pay, so that no matches come and go.
  const price = () => ({ price: 900_000_000 + Math.round(performance.now()) })
  return [
    { title: 'health', path: '/health' },
    { title: 'figures: `/admin/stats`', path: '/admin/stats' },
    { title: 'read a listing', path: `/api/listings/${id}` },
    { title: 'list of 50', path: '/api/listings?status=active' },
    { title: 'search by words', path: '/api/listings?text=%CE%B8%CE%AD%CE%B1' },
    { title: 'facets', path: '/api/listings/facets' },
    {
      title: 'map',
      path: '/api/listings/map?bounds[south]=34&bounds[west]=19&bounds[north]=42&bounds[east]=30&zoom=8',
    },
    { title: 'size of a picture, made', path: `${picture}?w=320`, isPicture: true, isFirst: true },
    { title: 'size of a picture, kept', path: `${picture}?w=320`, isPicture: true },
    { title: 'feed of a portal, made', path: feedPath, isFirst: true },
    { title: 'feed of a portal, kept', path: feedPath },
    { title: 'create a listing', method: 'POST', path: '/api/listings', body: listing },
    {
      title: '… without the trail',
      method: 'POST',
      path: '/api/listings',
      body: listing,
      headers: { 'X-Without-Trail': '1' },
    },
    {
      title: 'change a price',
      method: 'PUT',
      path: `/api/listings/${id}`,
      body: price,
    },
    {
      title: '… without the trail',
      method: 'PUT',
      path: `/api/listings/${id}`,
      body: price,
      headers: { 'X-Without-Trail': '1' },
    },
    { title: 'send a photo', ...upload, headers: jpeg, isFirst: true },
    { title: 'cron, a minute without work', path: `/scheduled?cron=${encodeURIComponent('* * * * *')}` },
    { title: 'cron, a day without work', path: `/scheduled?cron=${encodeURIComponent('17 3 * * *')}` },
  ]
}

async function costOf(send: Send, call: Call): Promise<string> {
  const once = async () => {
    const answer = await send(call)
    if (!answer.ok) throw new Error(`${call.title}: ${answer.status} ${await answer.text()}`)
    await answer.arrayBuffer()
    await wait(AFTERWARDS)
  }
  const times = call.isFirst ? 1 : TIMES
  if (!call.isFirst) for (let count = 0; count < 2; count++) await once()
  await send({ title: '', path: '/counts' })
  for (let count = 0; count < times; count++) await once()
  const sums = (await (await send({ title: '', path: '/counts' })).json()) as Counts
  const counts = Object.fromEntries(
    Object.entries(sums).map(([name, sum]) => [name, Math.round((10 * sum) / times) / 10]),
  ) as unknown as Counts
  const { rowsRead, rowsWritten, keys, classA, classB } = counts
  const dollars =
    PRICES.requests +
    (call.isPicture ? 0 : PRICES.log) +
    (['rowsRead', 'rowsWritten', 'keys', 'classA', 'classB'] as const).reduce(
      (sum, name) => sum + counts[name] * PRICES[name],
      0,
    )
  const figures = [rowsRead, rowsWritten, keys, classA, classB].map((figure) => figure.toLocaleString('en'))
  return `| ${[call.title, ...figures, `$${dollars.toFixed(2)}`].join(' | ')} |`
}

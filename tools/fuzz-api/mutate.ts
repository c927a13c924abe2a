/** Damages valid calls: one to five changes anywhere. */
import type { Random } from '../../fixtures/random.ts'
import type { FuzzCall } from './call.ts'
import type { Seed } from './seeds.ts'

const LONG = 'α'.repeat(70_000)
const DEEP = 3000

/** Unexpected values. Functions, so that large values are created only when needed. */
const HOSTILE: ((random: Random) => unknown)[] = [
  () => null,
  () => true,
  () => '',
  () => ' ',
  () => '\u0000',
  () => '\ud800',
  () => LONG,
  () => '%_\'";--',
  () => '__proto__',
  () => '2026-02-30 25:61:61',
  () => '-1',
  () => -1,
  () => 0,
  () => 1.5,
  () => 2 ** 31,
  () => 2 ** 40 + 1,
  () => 2 ** 53 - 1,
  () => 2 ** 53,
  () => -(2 ** 53),
  () => 1e308,
  () => [],
  () => [[]],
  () => [null],
  () => ({}),
  () => ({ length: { toString: 1 } }),
  () => ({ length: -1, toString: 1, valueOf: 1, toJSON: 1 }),
  () => JSON.parse('{"then": 1, "constructor": 1, "hasOwnProperty": 1}') as unknown,
  () => ({ min: 2, max: 1 }),
  () => ({ min: null, max: null, mid: 1 }),
  () => JSON.parse('{"__proto__": {"a": 1}}') as unknown,
  (random) => Array.from({ length: random.pick([101, 1001, 40_000]) }, (_, index) => index),
  (random) =>
    Object.fromEntries(Array.from({ length: random.pick([21, 5000]) }, (_, index) => [`k${index}`, 1])),
  () => Array.from({ length: DEEP }).reduce<unknown>((inner) => [inner], 1),
  (random) => random.int(-5, 400),
]

const HEADERS: [string, string][] = [
  ['Accept', 'application/problem+json'],
  ['Accept', `${'*/*,'.repeat(500)}`],
  ['Authorization', 'Bearer'],
  ['Authorization', `Basic ${'A'.repeat(5000)}`],
  ['Authorization', `Bearer ${' '.repeat(5000)}x`],
  ['X-API-Key', '\u00e9\u00e8'],
  ['Content-Type', 'multipart/form-data'],
  ['Content-Type', 'multipart/form-data; boundary=x'],
  ['Content-Type', 'image/png'],
  ['Content-Type', 'text/plain; charset=utf-16'],
  ['Content-Type', ''],
  ['Content-Encoding', 'gzip'],
  ['Prefer', 'handling=strict'],
  ['Prefer', `handling=strict, ${'respond-async; wait=10, '.repeat(100)}`],
  ['Range', 'bytes=-0'],
  ['Range', 'bytes=9-1,2-3'],
  ['If-None-Match', '*'],
  ['If-None-Match', `${'"a",'.repeat(2000)}`],
  ['If-Match', 'W/"x'],
  ['If-Modified-Since', 'yesterday'],
  ['Idempotency-Key', '"'],
  ['Idempotency-Key', 'k'.repeat(300)],
  ['X-D1-Bookmark', '0-0-0-0'],
  ['Origin', 'null'],
  ['Expect', '100-continue'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['Cookie', `a=${'b'.repeat(3000)}`],
]

const SEGMENTS = [
  '0',
  '-1',
  '1.0',
  '1e3',
  '01',
  '9007199254740993',
  '%00',
  '%',
  '%E0%A4%A',
  '..',
  '%2e%2e%2f',
  '',
  "1'--",
  'null',
  'x'.repeat(3000),
  '6900000123@mail',
]

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'QUERY', 'TRACE']

/** `seed` with `changes` changes. Never adds a second `Host` header, because some crash workerd itself. */
export function mutate(seed: Seed, random: Random, changes: number): FuzzCall {
  let textChanges = 0
  let byteChanges = 0
  for (let change = 0; change < changes; change++) {
    const kind = random.int(0, 11)
    if (kind <= 5 && seed.body && 'json' in seed.body) seed.body.json = changeJson(seed.body.json, random)
    else if (kind === 6) textChanges++
    else if (kind === 7) byteChanges++
    else if (kind === 8) seed.headers = changeHeaders(seed.headers, random)
    else if (kind === 9) changePath(seed, random)
    else if (kind === 10) changeQuery(seed, random)
    else seed.method = random.chance(0.5) ? random.pick(METHODS) : seed.method
  }
  return write(seed, random, textChanges, byteChanges)
}

function write(seed: Seed, random: Random, textChanges: number, byteChanges: number): FuzzCall {
  let body = seed.body && ('json' in seed.body ? Buffer.from(toJson(seed.body.json)) : seed.body.bytes)
  for (let change = 0; body && change < textChanges; change++) body = changeText(body, random)
  for (let change = 0; body && change < byteChanges; change++) body = changeBytes(body, random)
  const query = seed.query.map(([name, value]) => `${encode(name)}=${encode(value)}`).join('&')
  const malformed = seed.headers.some(([name]) => /^(content-length|transfer-encoding|expect)$/i.test(name))
  return {
    method: seed.method,
    target: (seed.path || '/') + (query ? `?${query}` : ''),
    headers: seed.headers,
    body,
    malformed,
  }
}

/** JSON of `value`. If it is nested too deeply for JSON.stringify, nested brackets instead. */
function toJson(value: unknown): string {
  try {
    return JSON.stringify(value)
  } catch (error) {
    if (error instanceof RangeError) return '['.repeat(100_000)
    throw error
  }
}

/** Percent-encodes as a browser does; a lone surrogate becomes the replacement character. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Every position within `json`: the object or array, and the key. */
function placesIn(json: unknown): { holder: Record<string, unknown> | unknown[]; key: string | number }[] {
  const places: { holder: Record<string, unknown> | unknown[]; key: string | number }[] = []
  const open: unknown[] = [json]
  while (open.length > 0 && places.length < 2000) {
    const holder = open.pop()
    if (Array.isArray(holder)) {
      for (const [key, value] of holder.entries()) {
        places.push({ holder, key })
        open.push(value)
      }
    } else if (typeof holder === 'object' && holder !== null) {
      for (const [key, value] of Object.entries(holder)) {
        places.push({ holder: holder as Record<string, unknown>, key })
        open.push(value)
      }
    }
  }
  return places
}

function changeJson(json: unknown, random: Random): unknown {
  const places = placesIn(json)
  if (places.length === 0 || random.chance(0.03)) return random.pick(HOSTILE)(random)
  const { holder, key } = random.pick(places)
  const value: unknown = Reflect.get(holder, key)
  const hostile = random.pick(HOSTILE)(random)
  const rename = (name: string) => {
    if (Array.isArray(holder)) return
    Reflect.deleteProperty(holder, key)
    Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true })
  }
  switch (random.int(0, 7)) {
    case 0:
      if (!Array.isArray(holder)) Reflect.deleteProperty(holder, key)
      break
    case 1:
      rename(random.pick(['__proto__', 'constructor', 'id', '', `${key} `, 'ключ', '999999']))
      break
    case 2:
      if (Array.isArray(holder)) holder.push(hostile)
      else holder[random.pick(['colour', 'id', 'length', 'status', '1'])] = hostile
      break
    case 3:
      Reflect.set(holder, key, random.chance(0.5) ? [value] : { value })
      break
    default:
      Reflect.set(holder, key, hostile)
  }
  return json
}

function changeText(body: Buffer, random: Random): Buffer {
  const text = body.toString('utf8')
  const at = random.int(0, text.length)
  switch (random.int(0, 5)) {
    case 0:
      return Buffer.from(text.slice(0, at))
    case 1:
      return Buffer.from(
        text.slice(0, at) +
          random.pick(['"', '{', ']', ',', '\\u0000', 'NaN', '1e999', '\n', '-']) +
          text.slice(at),
      )
    case 2:
      return Buffer.from(text + text.slice(at))
    case 3:
      return Buffer.from(`\ufeff${text}`)
    case 4:
      return Buffer.from('['.repeat(random.pick([10, 5000, 60_000])) + text)
    default:
      return Buffer.from(text.slice(0, at) + text.slice(at + random.int(1, 5)))
  }
}

function changeBytes(body: Buffer, random: Random): Buffer {
  const copy = Buffer.from(body)
  for (let flip = random.int(1, 8); flip > 0 && copy.byteLength > 0; flip--) {
    copy[random.int(0, copy.byteLength - 1)] = random.int(0, 255)
  }
  return copy
}

function changeHeaders(headers: [string, string][], random: Random): [string, string][] {
  if (random.chance(0.1)) return headers.slice(1)
  if (random.chance(0.05))
    return [...headers, ['Content-Length', random.pick(['-1', '5', 'x', '99999999999'])]]
  if (random.chance(0.03)) return [...headers, ['Transfer-Encoding', 'chunked']]
  return [...headers, random.pick(HEADERS)]
}

function changePath(seed: Seed, random: Random): void {
  const segments = seed.path.split('/')
  const at = random.int(1, segments.length)
  if (random.chance(0.7)) segments[at === segments.length ? at - 1 : at] = random.pick(SEGMENTS)
  else segments.splice(at, 0, random.pick(SEGMENTS))
  seed.path = segments.join('/')
}

function changeQuery(seed: Seed, random: Random): void {
  const [name] = seed.query.length > 0 ? random.pick(seed.query) : ['page']
  const value = random.pick(HOSTILE)(random)
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, 3000)
  seed.query.push([
    random.pick([name, 'page', 'price[min]', 'price[mid]', 'price[]', '[', 'a[b][c]', 'search']),
    text,
  ])
}

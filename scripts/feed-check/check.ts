/** Reads a feed from an address or a file and checks it by the rules of its format. */
import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { checkJsonFeed } from './json-feed.ts'
import { KyeroCheck } from './kyero.ts'
import type { Report } from './report.ts'
import { SitemapCheck } from './sitemap.ts'
import { type Node, XmlReader } from './xml.ts'

/** Files of a sitemap, or pages of a JSON Feed, that are followed. */
const MAX_FILES = 1000
/** Longest JSON that is read: it is parsed as a whole. */
const MAX_JSON = 200 * 1024 * 1024
/** How long an address may take, in milliseconds. */
const TIMEOUT = 10 * 60 * 1000

/** What is expected beyond the rules. */
export interface Expected {
  /** The country of all properties. */
  country?: string | undefined
}

/** Checks the feed at `source`: an address or the name of a file. Follows pages and files of the same host. */
export async function checkFeed(report: Report, source: string, expected: Expected = {}): Promise<void> {
  const ids = new Set<string>()
  const read = new Set<string>()
  const waiting = [source]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (read.has(next) || read.size >= MAX_FILES) {
      report.error('the file', `leads in a circle, or to more than ${MAX_FILES} files: ${next}`)
      return
    }
    read.add(next)
    const found = await checkFile(report, next, ids, expected)
    // A file's name on this disk does not say where it leads.
    const isAddress = /^https?:\/\//i.test(source)
    waiting.push(...found.filter((one) => isAddress && URL.parse(one)?.host === URL.parse(source)?.host))
  }
}

/** Checks one file and returns the addresses that it leads to. */
async function checkFile(
  report: Report,
  source: string,
  ids: Set<string>,
  expected: Expected,
): Promise<string[]> {
  const chunks = await openSource(report, source)
  if (!chunks) return []
  const iterator = chunks[Symbol.asyncIterator]()
  const first = await iterator.next()
  const start: Uint8Array = first.done ? new Uint8Array() : first.value
  const rest: AsyncIterable<Uint8Array> = { [Symbol.asyncIterator]: () => iterator }
  const isJson = /^\s*[{[]/.test(new TextDecoder().decode(start.subarray(0, 1000)))
  try {
    return isJson ? await checkJson(report, start, rest, ids) : await checkXml(report, start, rest, expected)
  } catch (error) {
    // A connection that breaks off is what a reader must see.
    report.error('the file', `it breaks off: ${error instanceof Error ? error.message : String(error)}`)
    return []
  }
}

async function openSource(report: Report, source: string): Promise<AsyncIterable<Uint8Array> | null> {
  if (!/^https?:\/\//i.test(source)) return createReadStream(source)
  const answer = await fetch(source, { signal: AbortSignal.timeout(TIMEOUT) })
  if (answer.status !== 200) {
    report.error('the file', `its address answers ${answer.status}`)
    return null
  }
  if (!answer.headers.has('Last-Modified'))
    report.warn('the file', 'has no Last-Modified: readers cannot tell whether it has changed')
  return (answer.body ?? Readable.from([])) as AsyncIterable<Uint8Array>
}

async function checkJson(
  report: Report,
  start: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  ids: Set<string>,
): Promise<string[]> {
  const parts = [start]
  let length = start.length
  for await (const part of rest) {
    length += part.length
    if (length > MAX_JSON) {
      report.error('the file', `must have at most ${MAX_JSON} bytes: divide it into pages`)
      return []
    }
    parts.push(part)
  }
  const next = checkJsonFeed(report, new TextDecoder().decode(Buffer.concat(parts)), ids)
  return next === null ? [] : [next]
}

async function checkXml(
  report: Report,
  start: Uint8Array,
  rest: AsyncIterable<Uint8Array>,
  { country }: Expected,
): Promise<string[]> {
  let check: KyeroCheck | SitemapCheck | undefined
  const reader = new XmlReader(report, {
    onRoot: (root: Node) => {
      if (root.name === 'root') check = new KyeroCheck(report, country)
      else if (root.name === 'urlset' || root.name === 'sitemapindex')
        check = new SitemapCheck(report, root.name)
      else
        report.error(
          'the file',
          `is no feed that is known: its root is ${JSON.stringify(root.name.slice(0, 60))}`,
        )
      check?.onRoot(root)
    },
    onEntry: (entry) => check?.onEntry(entry),
    onStray: (text) => check?.onStray(text),
  })
  let bytes = start.length
  reader.write(start)
  for await (const part of rest) {
    bytes += part.length
    if (!reader.isReading) break
    reader.write(part)
  }
  if (reader.end()) check?.finish(bytes)
  return check instanceof SitemapCheck ? check.files : []
}

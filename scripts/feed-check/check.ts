/** Reads a feed from an address or a file and checks it by the rules of its format. */
import { createReadStream } from 'node:fs'
import { readNodes, STRAY, Unreadable } from './nodes.ts'
import { type Add, checkNode, type Format, formatOf, quote, textAt } from './rules.ts'

/** Files of a sitemap, or pages of a JSON Feed, that are followed. */
const MAX_FILES = 1000
/** How long an address may take, in milliseconds. */
const TIMEOUT = 10 * 60 * 1000

/** What is found, each in a property, an item, an address or the file; and what there is: `120 properties`. */
interface Checked {
  findings: { level: 'error' | 'warning'; where: string; message: string }[]
  counts: Map<string, number>
}

const isAddress = (source: string) => /^https?:\/\//i.test(source)

/** Checks the feed at `source`: an address or a file. Follows pages and files of the same host. */
export async function checkFeed(source: string, country?: string): Promise<Checked> {
  const checked: Checked = { findings: [], counts: new Map() }
  const [read, keys, waiting] = [new Set<string>(), new Set<string>(), [source]]
  const add: Add = (message, level = 'error') => checked.findings.push({ level, where: 'the file', message })
  for (const next of waiting) {
    if (read.has(next) || read.size >= MAX_FILES) {
      add(`leads in a circle, or to more than ${MAX_FILES} files: ${next}`)
      break
    }
    read.add(next)
    try {
      const found = await checkFile(await openSource(next, add), add, checked, keys, country)
      // A file's name on this disk does not say where it leads.
      const isNear = (one: string) => isAddress(source) && URL.parse(one)?.host === URL.parse(source)?.host
      waiting.push(...found.filter(isNear))
    } catch (error) {
      // A connection that breaks off is what a reader must see.
      const { message } = error as Error
      add(error instanceof Unreadable ? message : `it breaks off: ${message}`)
    }
  }
  return checked
}

async function openSource(source: string, add: Add): Promise<AsyncIterable<Uint8Array>> {
  if (!isAddress(source)) return createReadStream(source)
  const answer = await fetch(source, { signal: AbortSignal.timeout(TIMEOUT) })
  if (answer.status !== 200 || !answer.body) throw new Unreadable(`its address answers ${answer.status}`)
  if (!answer.headers.has('Last-Modified'))
    add('has no Last-Modified: readers cannot tell whether it has changed', 'warning')
  return answer.body
}

/** Returns the addresses that a file leads to. */
async function checkFile(
  chunks: AsyncIterable<Uint8Array>,
  add: Add,
  { findings, counts }: Checked,
  keys: Set<string>,
  country?: string,
): Promise<string[]> {
  const leadsTo: string[] = []
  let [format, bytes, count]: [Format | null, number, number] = [null, 0, 0]
  async function* counted() {
    for await (const chunk of chunks) {
      bytes += chunk.length
      yield chunk
    }
  }
  for await (const node of readNodes(counted())) {
    if (format === null) {
      format = formatOf(node, leadsTo, add, country)
      continue
    }
    if (node.name !== format.entry) {
      if (node.name === STRAY)
        add(`there is text between its elements, as after a fault: ${quote(node.text.trim())}`)
      else if (!format.onOther?.(node)) add(`has an element that readers do not know: ${quote(node.name)}`)
      continue
    }
    count++
    counts.set(format.counted, (counts.get(format.counted) ?? 0) + 1)
    const key = textAt(node, format.key)
    const named = format.entry === 'property' && key ? ` (${key.slice(0, 50)})` : ''
    const where = `${format.entry} ${counts.get(format.counted)}${named}`
    const addHere: Add = (message) => findings.push({ level: 'error', where, message })
    if (key && keys.has(key)) addHere(`${format.key} is that of another: ${quote(key)}`)
    keys.add(key)
    checkNode(format, node, addHere)
    format.onEntry?.(node, addHere)
  }
  format?.onEnd?.(count, bytes)
  return leadsTo
}

/** The parts of a feed in one form, of XML and of JSON. XML is read piece by piece, so that a file may be of any length. */
import { SaxesParser } from 'saxes'

/** An element of XML, or a value of JSON. */
export interface Node {
  /** With the usual prefix of its namespace. */
  name: string
  /** Also `cdata`, where there is some, and the `type` of a value of JSON. */
  attributes: Record<string, string>
  text: string
  children: Node[]
}

/** A file that cannot be read as what it is. */
export class Unreadable extends Error {}

const PREFIXES: Record<string, string> = {
  'http://www.w3.org/1999/xhtml': 'xhtml:',
  'http://www.google.com/schemas/sitemap-image/1.1': 'image:',
}
/** The name of text between the entries. */
export const STRAY = '#text'
const AMPERSAND = 'it is not well-formed: each & must be written as &amp;'
/** For the parser, a `&` begins a name that goes on until the next semicolon, or the end. */
const BARE_AMPERSAND = /&(?![#\w]{1,32};)[\s\S]{33}/

/** Yields the root without its entries, then each whole entry within it, and text between them. */
export async function* readNodes(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Node> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  const [ready, open]: [Node[], Node[]] = [[], []]
  const parser = xmlParser(ready, open)
  let [json, hasBareAmpersand]: [string | null, boolean] = ['', false]
  for await (const bytes of chunks) {
    const text = decode(decoder, bytes)
    if (json === '' && /^\s*[^\s{[]/.test(text)) json = null
    if (json === null) parser.write(text)
    else json += text
    hasBareAmpersand ||= BARE_AMPERSAND.test(text)
    yield* ready.splice(0)
  }
  if (json) return yield* readJson(json)
  if (open.length > 0 || json === '')
    throw new Unreadable(hasBareAmpersand ? AMPERSAND : 'it ends before its root is closed: it was cut off')
  parser.write(decode(decoder)).close()
}

function decode(decoder: TextDecoder, bytes?: Uint8Array): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined })
  } catch {
    throw new Unreadable('it is not UTF-8')
  }
}

/** A parser that keeps the elements that are open, and adds those that are whole to `ready`. */
function xmlParser(ready: Node[], open: Node[]): SaxesParser<{ xmlns: true }> {
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', ({ message }) => {
    throw new Unreadable(/ entity/.test(message) ? AMPERSAND : `it is not well-formed: ${message}`)
  })
  parser.on('xmldecl', ({ encoding = 'utf-8' }) => {
    if (!/^utf-8$/i.test(encoding)) throw new Unreadable(`its encoding must be UTF-8, not ${encoding}`)
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    const values = Object.entries(attributes).map(([name, { value }]) => [name, value])
    const name = `${PREFIXES[uri] ?? ''}${local}`
    const node = { name, attributes: Object.fromEntries(values), text: '', children: [] }
    if (open.length === 0) ready.push(node)
    // The root holds nothing, so that a file may be of any length.
    if (open.length > 1) open.at(-1)?.children.push(node)
    open.push(node)
  })
  const addText = (text: string) => {
    const node = open.at(-1)
    if (open.length > 1 && node) node.text += text
    else if (text.trim()) ready.push({ name: STRAY, attributes: {}, text, children: [] })
  }
  parser.on('text', addText)
  parser.on('cdata', (text) => {
    Object.assign(open.at(-1)?.attributes ?? {}, { cdata: 'yes' })
    addText(text)
  })
  parser.on('closetag', () => {
    const node = open.pop()
    if (node && open.length === 1) ready.push(node)
  })
  return parser
}

/** The root with all but its items, then these. */
function* readJson(text: string): Generator<Node> {
  try {
    const { items, ...root } = JSON.parse(text)
    yield jsonNode('feed', { ...root, items: Array.isArray(items) ? [] : items })
    if (Array.isArray(items)) for (const item of items) yield jsonNode('item', item)
  } catch {
    throw new Unreadable('it is not JSON, or was cut off')
  }
}

function jsonNode(name: string, value: unknown): Node {
  const type = Array.isArray(value) ? 'array' : typeof value
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : null
  const children = inner?.map(([key, one]) => jsonNode(key, one)) ?? []
  return { name, attributes: { type }, text: inner ? '' : String(value ?? ''), children }
}

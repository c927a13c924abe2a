/** The parts of a feed in one form, of XML and of JSON. */
import { isUtf8 } from 'node:buffer'
import { SaxesParser } from 'saxes'

/** An element of XML, with the usual prefix of its namespace, or a value of JSON, whose `type` is an attribute. */
export interface Node {
  name: string
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

/** Hands over the root without its entries, then each whole entry within it, and text between them. */
export function readNodes(bytes: Uint8Array, use: (node: Node) => void): void {
  if (!isUtf8(bytes)) throw new Unreadable('it is not UTF-8')
  const text = new TextDecoder().decode(bytes)
  if (/^\s*[{[]/.test(text)) readJson(text, use)
  else readXml(text, use)
}

function readXml(text: string, use: (node: Node) => void): void {
  const open: Node[] = []
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
    if (open.length === 0) use(node)
    // The root holds nothing, so that a file may have any number of entries.
    if (open.length > 1) open.at(-1)?.children.push(node)
    open.push(node)
  })
  const addText = (part: string) => {
    const node = open.at(-1)
    if (open.length > 1 && node) node.text += part
    else if (part.trim()) use({ name: STRAY, attributes: {}, text: part, children: [] })
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const node = open.pop() as Node
    if (open.length === 1) use(node)
  })
  parser.write(text)
  // For the parser, a `&` begins a name that goes on until the next semicolon, or the end.
  if (open.length > 0 && /&(?![#\w]{1,32};)/.test(text)) throw new Unreadable(AMPERSAND)
  if (open.length > 0 || text === '')
    throw new Unreadable('it ends before its root is closed: it was cut off')
  parser.close()
}

/** The root with all but its items, then these. */
function readJson(text: string, use: (node: Node) => void): void {
  let parsed: { items?: unknown }
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new Unreadable('it is not JSON, or was cut off')
  }
  const { items, ...root } = parsed
  use(jsonNode('{}', { ...root, items: Array.isArray(items) ? [] : items }))
  if (Array.isArray(items)) for (const item of items) use(jsonNode('item', item))
}

function jsonNode(name: string, value: unknown): Node {
  const type = Array.isArray(value) ? 'array' : typeof value
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : null
  const children = inner?.map(([key, one]) => jsonNode(key, one)) ?? []
  return { name, attributes: { type }, text: inner ? '' : String(value ?? ''), children }
}

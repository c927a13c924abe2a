/** Reads XML piece by piece: only one entry of a feed is held at a time. */
import { SaxesParser } from 'saxes'
import type { Report } from './report.ts'

/** An element with what is in it. */
export interface Node {
  /** With its prefix, as it is written. */
  name: string
  attributes: Record<string, string>
  text: string
  children: Node[]
  hasCdata: boolean
}

/** What is done with the parts of a file. */
export interface XmlHandlers {
  /** The element that everything is in. */
  onRoot: (root: Node) => void
  /** A whole element within the root. It is not held. */
  onEntry: (entry: Node) => void
  /** Text between the elements of the root. */
  onStray: (text: string) => void
}

/** Entries with more elements are not built any further. */
const MAX_ELEMENTS = 100_000

interface ReadingState {
  hasFailed: boolean
  isClosed: boolean
  /** For the parser, a `&` begins a name that goes on until the next semicolon, or the end. */
  hasBareAmpersand: boolean
}

const AMPERSAND = 'it is not well-formed: each & must be written as &amp;'
const BARE_AMPERSAND = /&(?![#\w]{1,32};)[\s\S]{33}/

/** Feeds a parser with bytes. What is not UTF-8 or not well-formed is reported, and ends the reading. */
export class XmlReader {
  readonly #report: Report
  readonly #parser = new SaxesParser()
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false })
  readonly #open: Node[] = []
  readonly #state: ReadingState = { hasFailed: false, isClosed: false, hasBareAmpersand: false }
  #elements = 0

  constructor(report: Report, handlers: XmlHandlers) {
    this.#report = report
    const parser = this.#parser
    // The parser itself would go on, and find more of the same fault.
    parser.on('error', (error) => {
      throw new Error(/ entity/.test(error.message) ? AMPERSAND : `it is not well-formed: ${error.message}`)
    })
    parser.on('xmldecl', ({ encoding }) => {
      if (encoding && !/^utf-8$/i.test(encoding))
        report.error('the file', `its encoding must be UTF-8, not ${encoding}`)
    })
    parser.on('opentag', ({ name, attributes }) => {
      const node: Node = {
        name,
        attributes: { ...attributes } as Record<string, string>,
        text: '',
        children: [],
        hasCdata: false,
      }
      const parent = this.#open.at(-1)
      this.#open.push(node)
      if (!parent) handlers.onRoot(node)
      // The root holds nothing, so that a file may be of any length.
      else if (this.#open.length > 2 && ++this.#elements <= MAX_ELEMENTS) parent.children.push(node)
    })
    parser.on('text', (text) => {
      if (this.#open.length === 1 && text.trim() !== '') handlers.onStray(text.trim())
      else this.#addText(text)
    })
    parser.on('cdata', (text) => {
      const node = this.#open.at(-1)
      if (node) node.hasCdata = true
      this.#addText(text)
    })
    parser.on('closetag', () => {
      const node = this.#open.pop()
      if (node && this.#open.length === 1) {
        this.#elements = 0
        handlers.onEntry(node)
      }
      this.#state.isClosed = this.#open.length === 0
    })
  }

  /** Whether more bytes are of use. */
  get isReading(): boolean {
    return !this.#state.hasFailed
  }

  write(bytes: Uint8Array): void {
    if (this.#state.hasFailed) return
    this.#attempt(() => {
      const text = this.#decoder.decode(bytes, { stream: true })
      if (BARE_AMPERSAND.test(text)) this.#state.hasBareAmpersand = true
      this.#parser.write(text)
    })
  }

  /** Says that there are no more bytes. Returns whether the whole of the file was read. */
  end(): boolean {
    const { isClosed, hasBareAmpersand } = this.#state
    if (!isClosed)
      this.#fail(hasBareAmpersand ? AMPERSAND : 'it ends before its root is closed: it was cut off')
    if (!this.#state.hasFailed) this.#attempt(() => void this.#parser.write(this.#decoder.decode()).close())
    return !this.#state.hasFailed
  }

  /** The decoder throws a TypeError, the parser an error with its message. */
  #attempt(read: () => void): void {
    try {
      read()
    } catch (error) {
      this.#fail(error instanceof Error && !(error instanceof TypeError) ? error.message : 'it is not UTF-8')
    }
  }

  #addText(text: string): void {
    const node = this.#open.at(-1)
    if (node) node.text += text
  }

  #fail(message: string): void {
    if (!this.#state.hasFailed) this.#report.error('the file', message)
    this.#state.hasFailed = true
  }
}

/** The first child of a name. */
export function childOf(node: Node, name: string): Node | undefined {
  return node.children.find((child) => child.name === name)
}

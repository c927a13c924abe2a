/**
 * Texts of listings as property portals want them: without HTML. A text is read once from left to right, so a long one costs
 * no more than its length, whatever it has.
 */
import { decodeHTMLAttribute } from 'entities/decode'

/** Elements whose content is no text. Word writes its settings as `xml`, and some editors take away the comment around it. */
const HIDDEN = /^(?:script|style|xml)$/
/** Tags that end a line. */
const BREAK = /^(?:br|hr|\/(?:p|div|li|tr|h[1-6]|ul|ol))$/
/** Tags of elements that begin and end in lines of their own. */
const BLOCK =
  /^\/?(?:p|div|li|tr|h[1-6]|ul|ol|address|article|aside|blockquote|caption|center|d[dlt]|details|fieldset|figcaption|figure|footer|form|header|legend|main|menu|nav|option|pre|section|summary|table|tbody|tfoot|thead)$/
const CELL = /^\/?t[dh]$/

/** The start of a tag, a declaration, or an instruction such as `<?xml`. Before anything else, `<` is a sign: "less than". */
const TAG_START = /<(?:(\/?[a-z][^\s<>/]*)|!|\?[a-z])/iy
const QUOTE = /=\s*(["'])/y

/** A text without HTML: tags are left out and entities decoded, also where they were written twice. */
export function withoutHtml(text: string): string {
  if (!/[<&\r]/.test(text)) return text.trim()
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  return withoutTags(decodeReferences(withoutTags(lines)))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/**
 * The characters that references stand for, as HTML reads those of attributes: a name without its semicolon is one only where
 * no letter or `=` follows. Texts may be plain, with addresses such as `?a=1&copy=2`.
 */
function decodeReferences(text: string): string {
  return decodeHTMLAttribute(text.replaceAll('&nbsp;', ' '))
}

/** A text with what its CDATA sections hold: in those of feeds, that is HTML. */
function withoutSections(text: string): string {
  const [before, ...sections] = text.split('<![CDATA[')
  return [before, ...sections.map((section) => section.replace(']]>', ''))].join('')
}

function withoutTags(html: string): string {
  if (!html.includes('<')) return html
  const text = withoutSections(html)
  const marks = new Marks(text)
  const shown = new Lines()
  let from = 0
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', from)) {
    shown.add(text.slice(from, at))
    const comment = text.startsWith('<!--', at) ? marks.find('-->', at + 2) : -1
    const tag = comment < 0 ? tagAt(text, at, marks) : { name: '', end: comment + 3 }
    if (typeof tag === 'number') {
      shown.add(text.slice(at, tag))
      from = tag
    } else {
      shown.part(tag.name)
      // `<xml/>` has no content; of the others, HTML knows no such form.
      const isEmpty = tag.name === 'xml' && text[tag.end - 2] === '/'
      from = HIDDEN.test(tag.name) && !isEmpty ? marks.endOfElement(tag.name, tag.end) : tag.end
    }
  }
  shown.add(text.slice(from))
  return shown.join()
}

/** The tag at `start`, or where the text ends that only begins like one. A quoted value of an attribute may hold anything. */
function tagAt(text: string, start: number, marks: Marks): { name: string; end: number } | number {
  TAG_START.lastIndex = start
  const [opening, name = ''] = TAG_START.exec(text) ?? []
  if (!opening) return start + 1
  for (let at = start + opening.length; at < text.length; at++) {
    if (text[at] === '>') return { name: name.toLowerCase(), end: at + 1 }
    if (text[at] === '<') return at
    QUOTE.lastIndex = at
    const [before = '', quote = ''] = text[at] === '=' ? (QUOTE.exec(text) ?? []) : []
    if (quote) at = Math.max(at, marks.find(quote, at + before.length))
  }
  return text.length
}

/** Finds marks in a text. What is not there any more is not looked for again. */
class Marks {
  readonly #text: string
  readonly #missing = new Set<string>()

  constructor(text: string) {
    this.#text = text
  }

  /** Where a mark is next. Positions must rise; -1 if it does not come again. */
  find(mark: string, from: number): number {
    const at = this.#missing.has(mark) ? -1 : this.#text.indexOf(mark, from)
    if (at < 0) this.#missing.add(mark)
    return at
  }

  /** The end of an element whose content begins at `from`. One that does not end has no content. */
  endOfElement(name: string, from: number): number {
    if (this.#missing.has(name)) return from
    const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi')
    closing.lastIndex = from
    const end = closing.test(this.#text) ? this.#text.indexOf('>', closing.lastIndex) : -1
    if (end < 0) this.#missing.add(name)
    return end < 0 ? from : end + 1
  }
}

/** Puts a text together, and knows what it ends with. */
class Lines {
  readonly #parts: string[] = []
  #isAtStart = true
  #isParted = true

  add(text: string): void {
    if (!text) return
    this.#parts.push(text)
    const blank = text.slice(text.trimEnd().length)
    this.#isParted = blank !== ''
    this.#isAtStart = blank.includes('\n') || (blank === text && this.#isAtStart)
  }

  /** Adds what parts the words before and after a tag. */
  part(name: string): void {
    if (BREAK.test(name) || (BLOCK.test(name) && !this.#isAtStart)) this.add('\n')
    else if (CELL.test(name) && !this.#isParted) this.add(' ')
  }

  join(): string {
    return this.#parts.join('')
  }
}

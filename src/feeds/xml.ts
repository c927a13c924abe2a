/**
 * Writes XML. Everything that is written passes through here, so that nothing in a text can end its element.
 *
 *     element('location', [element('latitude', '37.97')])   // <location>\n<latitude>37.97</latitude>\n</location>\n
 */

export class Xml {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

export const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** An element: with a text, with others in it, or empty. Readers of lines want every element on a line of its own. */
export function element(
  name: string,
  content: string | readonly Xml[],
  attributes: Readonly<Record<string, string>> = {},
): Xml {
  const inner =
    typeof content === 'string' ? escapeXml(content) : `\n${content.map(({ text }) => text).join('')}`
  return new Xml(`${startTag(name, attributes)}${inner}</${name}>\n`)
}

/** An element without content. */
export function emptyElement(name: string, attributes: Readonly<Record<string, string>>): Xml {
  return new Xml(`${startTag(name, attributes).slice(0, -1)}/>\n`)
}

/** The tag that an element begins with. */
export function startTag(name: string, attributes: Readonly<Record<string, string>> = {}): string {
  const written = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  return `<${name}${written.join('')}>`
}

/** Characters that need anything, in a text or an attribute. Most texts have none. */
const SPECIAL = /[&<>"\p{Cc}\p{Cs}\uFFFE\uFFFF]/u
/** Characters that XML does not have, or only names, and those that no reader expects. */
const FORBIDDEN = /[^\P{Cc}\n]|[\p{Cs}\uFFFE\uFFFF]/gu

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\n': '&#13;',
}

/**
 * A text as XML has it. A line break is `&#13;`, which the readers of property feeds expect. Control characters and
 * halves of characters are left out.
 */
function escapeXml(text: string): string {
  if (!SPECIAL.test(text)) return text
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll('\t', ' ')
    .replace(FORBIDDEN, '')
    .replace(/[&<>"\n]/g, (character) => ENTITIES[character] ?? '')
}

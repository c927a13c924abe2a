/** Texts of listings as property portals want them: without HTML. */

/** Elements whose content is no text. */
const HIDDEN = ['script', 'style']
/** Tags that end a line. */
const BREAK = /<(?:br|\/p|\/div|\/li|\/tr|\/h[1-6]|\/ul|\/ol|hr)\b[^<>]*>/gi
/** A tag. A `<` before anything else than a name is a sign, such as "less than". */
const TAG = /<\/?[a-z][^<>]*>|<![^<>]*>/gi

/** The named entities that texts are written with; numbers need no list. */
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  euro: '€',
  sup2: '²',
  sup3: '³',
  deg: '°',
  middot: '·',
  bull: '•',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  laquo: '«',
  raquo: '»',
  eacute: 'é',
  egrave: 'è',
  agrave: 'à',
  ccedil: 'ç',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  ntilde: 'ñ',
  times: '×',
  frac12: '½',
  copy: '©',
  reg: '®',
  trade: '™',
}

/** A text without HTML: tags are left out and entities decoded, also where they were written twice. */
export function withoutHtml(text: string): string {
  if (!/[<&\r]/.test(text)) return text.trim()
  const lines = text.replaceAll('\r\n', '\n').replaceAll('\r', '\n')
  return withoutTags(decodeEntities(withoutTags(lines)))
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

function withoutTags(text: string): string {
  if (!text.includes('<')) return text
  const shown = HIDDEN.reduce(
    (rest, name) => without(rest, `<${name}`, `</${name}>`),
    without(text, '<!--', '-->'),
  )
  return shown.replace(BREAK, '\n').replace(TAG, '')
}

/** The text without what is between two marks, and without them. A part that does not end stays. */
function without(text: string, start: string, end: string): string {
  const lower = text.toLowerCase()
  // Some letters become longer in lower case.
  if (lower.length !== text.length || !lower.includes(start)) return text
  let kept = ''
  let from = 0
  for (let at = lower.indexOf(start); at >= 0; at = lower.indexOf(start, from)) {
    const close = lower.indexOf(end, at)
    if (close < 0) break
    kept += text.slice(from, at)
    from = close + end.length
  }
  return kept + text.slice(from)
}

function decodeEntities(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return Object.hasOwn(NAMED, name) ? (NAMED[name] ?? whole) : whole
    const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })
}

/**
 * The street of an address, without its house number. It fails closed: in doubt it loses a name, but never reveals a number.
 *
 *     streetOf('Ερμού 15Α, 2ος όροφος')          // 'Ερμού'
 *     streetOf('Λεωφ. 28ης Οκτωβρίου 5')         // 'Λεωφ. 28ης Οκτωβρίου'
 *     streetOf('12 Main Street')                 // 'Main Street'
 *     streetOf('Σόλωνος, Ασκληπιού')             // 'Σόλωνος', as a corner is a point
 *
 * The address is split into words, numbers and gaps once, and read from left to right.
 */
import { type Token, tokenise } from './tokens.ts'

/** Words before a house number. */
const NUMBERS = words(
  'νο no νo nο nº n° νº ν° nr num number αρ αριθ αριθμ αριθμοσ αριθμο αριθμου νουμερο νουμ',
)
/** Words before another number, or before a name at a bell. Like those above, they are never part of a street name. */
const LABELS = words(
  'τκ tk διαμ διαμερισμα οροφοσ οροφου οροφο οροφοι οροφων ορ οροφ επιπεδο επιπεδα κουδ κουδουνι ' +
    'κτιριο κτηριο εισοδοσ ισογειο υπογειο καταστημα γραφειο τηλ τηλεφωνο κιν κινητο tel phone ' +
    'apt apartment flat floor floors fl storey level unit suite room bell',
)
/** Words after a number that make it a floor, or say what it counts. */
const COUNTED = words(
  'οροφοσ οροφου οροφο οροφοι οροφων ορ οροφ επιπεδο επιπεδα τμ δωματια δωματιο υπνοδωματια υπνοδωματιο διαμερισματα ' +
    'floor floors fl storey level sqm rooms bedrooms apartments flats',
)
/** Words for a kind of street. After these, an ordinal is part of the name. */
const STREETS = words(
  'οδοσ οδου οδ λεωφοροσ λεωφορου λεωφ λ πλατεια πλατειασ πλ παροδοσ παροδου παρ στοα ακτη ' +
    'odos odou od leoforos leoforou leof plateia plateias platia pl parodos parodou par stoa akti',
)
/** Words that make two streets a corner. */
const CORNERS = words(
  'γωνια γωνιασ γωνιακο γωνιακη γων διασταυρωση διασταυρωσησ συμβολη συμβολησ ' +
    'gonia gwnia corner cnr crn intersection junction',
)
const CORNER_SIGN = /[&＆/／\\+|×•]/
/** Signs before another street, or before a place, which its areas name. Within a name, a dash has no space beside it. */
const SEPARATOR = /[,;·，、\n—]|\s[-‐-―−]|[-‐-―−]\s/
/** Words between one of these and the first street. */
const OF = words('οδων των τησ του of the')
const JOINTS = words('και κι kai and με me with εωσ ωσ μεχρι eos mexri to till')
/** Those of them that also stand in a text that names no street: `Μονοκατοικία με θέα`. */
const WITH = words('με me with')

/** Ordinals: `28ης`, `3η`, `12th`. A single letter counts only in lower case, as `3Η` is a house number. */
const ORDINAL = /^\p{Nd}{1,3}(?:[ηο]|(?:ησ|ασ|οσ|ου|is|as|os|ou|st|nd|rd|th))$/u
const PLAIN = /^\p{Nd}{1,3}$/u
const HOUSE = /^\p{Nd}{1,3}(?:\p{L}|bis|ter)?$/iu

/** The part of `address` that the public may see: its first street without the number. Null if no name is left. */
export function streetOf(address: string): string | null {
  return withoutNumber(address, SEPARATOR)
}

/** The words of `address` before a house number, a second street and a `separator`. Null if no name is left. */
export function withoutNumber(address: string, separator?: RegExp): string | null {
  const all = tokenise(address)
  const tokens = firstStreet(all, separator)
  const firstToken = tokens.findIndex(({ kind }) => kind !== 'gap')
  const firstNumber = tokens.findIndex(
    ({ kind }, at) =>
      kind === 'number' &&
      !isOrdinalOfName(tokens, at, at === firstToken) &&
      !(at === firstToken && isNumberOfName(tokens, at)),
  )
  if (firstNumber < 0 && tokens.length < all.length) return nameWithin(tokens, 0, tokens.length)
  if (firstNumber < 0) return tokens.some(({ kind }) => kind === 'word') ? address : null
  return nameWithin(tokens, 0, firstNumber) ?? nameAfter(tokens, firstNumber)
}

/**
 * The tokens of the first street of a corner, or before a `separator`; all of them if there is neither.
 * @param isOfStreet false for a text that need not name a street
 */
function firstStreet(tokens: Token[], separator?: RegExp, isOfStreet = true): Token[] {
  const isCorner = (token: Token | undefined) => isOneOf(CORNERS, token)
  const first = tokens.findIndex((token) => isName(token) && !isCorner(token))
  const start = tokens.slice(0, Math.max(first, 0)).findLastIndex(isCorner) + 1
  const isBefore = (token: Token) => token.kind === 'gap' || isOneOf(OF, token)
  const from = start && tokens.findIndex((token, at) => at >= start && !isBefore(token))
  const end = tokens.findIndex((token, at) => {
    if (first < 0 || at <= first) return false
    const [before, next, after] = [tokens[at - 1], tokens[at + 1], tokens[at + 2]]
    const isJoint = isOneOf(JOINTS, token) && (isOfStreet || !isOneOf(WITH, token))
    if (token.kind !== 'gap') return isCorner(token) || (isJoint && after?.kind === 'word')
    if (next?.kind !== 'word') return false
    // A second street may begin with an initial. After a number, one letter belongs to it.
    return (
      separator?.test(token.text) ||
      (CORNER_SIGN.test(token.text) && (isName(next) || before?.kind === 'word'))
    )
  })
  // The gap that ends a street may begin with the sign that closes its name.
  const to = tokens[end]?.kind === 'gap' ? end + 1 : end
  return tokens.slice(from, end < 0 ? tokens.length : to)
}

/**
 * The public address to show for `address` when `stored` is its public address. The stored text is kept unless it
 * reveals what is hidden: a number, or, if it begins with the street, any word after the street.
 */
export function publicAddress(stored: string | null, address: string | null): string | null {
  if (stored === null || address === null) return stored
  const tokens = tokenise(stored)
  const street = streetOf(address)
  const startsWithStreet = street !== null && stored.startsWith(street)
  const shown = firstStreet(tokens, undefined, startsWithStreet)
  if (shown.length < tokens.length) return publicAddress(nameWithin(shown, 0, shown.length), address)
  if (stored === street) return stored
  const hidden = new Set(textsOf(street === null ? address : address.replace(street, () => ' ')))
  const numbers = tokens.filter(({ kind }) => kind === 'number')
  const rest = startsWithStreet ? textsOf(stored.slice(street.length)) : []
  return [...numbers.map(({ folded }) => folded), ...rest].some((text) => hidden.has(text)) ? street : stored
}

function textsOf(address: string): string[] {
  return tokenise(address).flatMap(({ kind, folded }) => (kind === 'gap' ? [] : [folded]))
}

/**
 * Whether the number at `at` is an ordinal in a name: `28ης Οκτωβρίου`, `Πλατεία 3ης Σεπτεμβρίου`.
 * @param leads whether it is the first token of the name
 */
function isOrdinalOfName(tokens: Token[], at: number, leads: boolean): boolean {
  if (!isOrdinal(tokens[at])) return false
  if (!isBlank(tokens[at + 1]) || !isName(tokens[at + 2])) return false
  if (leads) return true
  // Digits attached to a word are a number, whatever the word is.
  const gap = tokens[at - 1]
  return gap?.kind === 'gap' && /^[\s.]+$/.test(gap.text) && isOneOf(STREETS, tokens[at - 2])
}

/** Whether a token is an ordinal. Folding turns `ης` into `ησ`; endings of one letter are compared unfolded. */
function isOrdinal(token: Token | undefined): boolean {
  if (!token) return false
  if (ORDINAL.test(token.text)) return true
  // The ending may have an accent, the digits may not.
  return ORDINAL.test(token.folded) && /^\p{Nd}+\p{L}{2}/u.test(token.text)
}

/**
 * Whether a plain number at the start is part of the name, as in `12 Αποστόλων 7`. After it come one word and then what
 * can only be a house number. If a postal code, a phone number or a floor follows, the number at the start is the house
 * number.
 */
function isNumberOfName(tokens: Token[], at: number): boolean {
  const leads = at === 0 || (at === 1 && isBlank(tokens[0]))
  const isPlain = PLAIN.test(tokens[at]?.text ?? '')
  if (!leads || !isPlain || !isBlank(tokens[at + 1]) || !isName(tokens[at + 2])) return false
  let house = at + 3
  while (tokens[house]?.kind === 'gap' || isOneOf(NUMBERS, tokens[house])) house++
  return isHouse(tokens, house)
}

/** Whether the number at `house` is a house number, by its form and by what follows. */
function isHouse(tokens: Token[], house: number): boolean {
  const number = tokens[house]
  if (!number || !HOUSE.test(number.text) || isOrdinal(number) || isPostalCode(tokens, house)) return false
  for (let at = house; ; at += 2) {
    const [gap, next] = [tokens[at + 1], tokens[at + 2]]
    if (!gap || !next) return true
    if (next.kind === 'word') return !/^[\s.]+$/.test(gap.text) || !isLabelOf(tokens, at + 2)
    if (!/^\p{Nd}+$/u.test(next.text) || isPostalCode(tokens, at + 2)) return true
    // The second house number of a range is joined by a sign. After a mere space it is part of a phone number.
    if (isBlank(gap) || !PLAIN.test(next.text)) return false
  }
}

/** Whether the word at `at` says what the number before it is: `3 όροφος`, `3 διαμ.`, but not `7 διαμ. 4`. */
function isLabelOf(tokens: Token[], at: number): boolean {
  if (isOneOf(COUNTED, tokens[at])) return true
  const labelled = tokens[at + 2]
  const labelsNext = labelled?.kind === 'number' || [...(labelled?.folded ?? '')].length === 1
  return isOneOf(LABELS, tokens[at]) && !labelsNext
}

/** Whether a postal code starts at `at`: `10563` or `105 63`. */
function isPostalCode(tokens: Token[], at: number): boolean {
  const [head, gap, tail] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  if (/^\p{Nd}{5}$/u.test(head?.text ?? '')) return true
  const isSplit = /^\p{Nd}{3}$/u.test(head?.text ?? '') && /^\p{Nd}{2}$/u.test(tail?.text ?? '')
  return isSplit && /^[\s.-]*$/.test(gap?.text ?? '')
}

/**
 * The name after the house number at `number`, where the address starts with it: `15 Ερμού`, `17-19 Ερμού, κουδούνι 3`.
 */
function nameAfter(tokens: Token[], number: number): string | null {
  let from = number + 1
  while (from < tokens.length && belongsToNumber(tokens, from)) from++
  let to = from
  while (to < tokens.length && !endsName(tokens, to, to === from)) to++
  return nameWithin(tokens, from, to)
}

/** Whether the token at `at` still belongs to the number before it: another number, a letter, or what joins them. */
function belongsToNumber(tokens: Token[], at: number): boolean {
  const token = tokens[at]
  if (token?.kind === 'gap') return true
  if (token?.kind === 'number') return !isOrdinalOfName(tokens, at, true)
  const word = token?.folded ?? ''
  return isLetterOfNumber(tokens, at) || word === 'bis' || word === 'ter' || JOINTS.has(word)
}

/**
 * Whether the word at `at` is the letter of a house number, as in `15/Β` and `15 Β`, not an initial as in `15 Β.
 * Ουγκώ`.
 */
function isLetterOfNumber(tokens: Token[], at: number): boolean {
  if ([...(tokens[at]?.folded ?? '')].length !== 1) return false
  return !/^[.'’΄]/.test(tokens[at + 1]?.text ?? '') || /^[-–/]$/.test(tokens[at - 1]?.text ?? '')
}

/** Whether a name after its number ends at `at`: at the next number, a label, or a gap that no name contains. */
function endsName(tokens: Token[], at: number, leads: boolean): boolean {
  const token = tokens[at]
  if (token?.kind === 'number') return !isOrdinalOfName(tokens, at, leads)
  if (token?.kind === 'gap') return !/^(?:[ .'’΄&]+|[-–])$/.test(token.text)
  return isLabel(token)
}

/** The text from `from` up to, but excluding, `to`, without a dangling end. Null if it contains no word. */
function nameWithin(tokens: Token[], from: number, to: number): string | null {
  let end = to
  while (end > from && isDangling(tokens, end - 1)) end--
  const bracket = unclosedBracket(tokens, from, end)
  if (bracket >= 0) end = bracket
  while (end > from && isDangling(tokens, end - 1)) end--
  const [first, last] = [tokens[from], tokens[end - 1]]
  if (end <= from || !first || !last) return null
  const name = tokens
    .slice(from, end)
    .map(({ text }) => text)
    .join('')
  return (name + closing(name, last, tokens[end])).trim()
}

/** Whether the token at `at` cannot be the last one of a name. */
function isDangling(tokens: Token[], at: number): boolean {
  const token = tokens[at]
  if (token?.kind !== 'word') return true
  const word = token.folded
  const [next, after] = [tokens[at + 1], tokens[at + 2]]
  const isJoined = next?.kind === 'number' || (after?.kind === 'number' && /^[-–/]$/.test(next?.text ?? ''))
  const isLetterOfHouse = isJoined && [...word].length === 1
  return isLetterOfHouse || isLabel(token) || JOINTS.has(word) || isPostalLabel(tokens, at)
}

/** Whether the word at `at` is one half of `Τ.Κ.`. */
function isPostalLabel(tokens: Token[], at: number): boolean {
  const half = /^[τt]$/.test(tokens[at]?.folded ?? '') ? at : at - 2
  const [tau, stop, kappa] = [tokens[half], tokens[half + 1], tokens[half + 2]]
  return /^[τt]$/.test(tau?.folded ?? '') && stop?.text === '.' && /^[κk]$/.test(kappa?.folded ?? '')
}

/** The first gap with a bracket that is not closed; -1 if there is none. */
function unclosedBracket(tokens: Token[], from: number, to: number): number {
  const open: number[] = []
  for (let at = from; at < to; at++) {
    if (tokens[at]?.kind !== 'gap') continue
    for (const character of tokens[at]?.text ?? '') {
      if ('([{«“'.includes(character)) open.push(at)
      else if (')]}»”'.includes(character)) open.pop()
    }
  }
  // A bracket right after the last word closes one, too.
  if (/^[)\]}»”]/.test(tokens[to]?.text ?? '')) open.pop()
  return open[0] ?? -1
}

/** The sign that belongs to the last word of a name: a closing bracket, an apostrophe, the full stop of `Λεωφ.`. */
function closing(name: string, last: Token, next: Token | undefined): string {
  const [mark = ''] = next?.text ?? ''
  if ("'’΄".includes(mark)) return mark
  if (mark === '.') return isOneOf(STREETS, last) ? mark : ''
  return ')]}»”'.includes(mark) && /[([{«“]/.test(name) ? mark : ''
}

function isBlank(token: Token | undefined): boolean {
  return token?.kind === 'gap' && token.text.trim() === ''
}

function isName(token: Token | undefined): boolean {
  return token?.kind === 'word' && [...token.folded].length > 1 && !isLabel(token) && !isOneOf(JOINTS, token)
}

function isLabel(token: Token | undefined): boolean {
  return isOneOf(NUMBERS, token) || isOneOf(LABELS, token)
}

function isOneOf(set: Set<string>, token: Token | undefined): boolean {
  return token?.kind === 'word' && set.has(token.folded)
}

/** A set of words, which must be folded by `foldText`. */
function words(list: string): Set<string> {
  return new Set(list.split(' '))
}

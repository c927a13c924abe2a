/**
 * The street of an address without its number. It fails closed: in doubt a name is lost, never a number told.
 *
 *     withoutNumber('Ερμού 15Α, 2ος όροφος')          // 'Ερμού'
 *     withoutNumber('Λεωφ. 28ης Οκτωβρίου 5')         // 'Λεωφ. 28ης Οκτωβρίου'
 *     withoutNumber('12 Main Street')                 // 'Main Street'
 *
 * The address is cut into words, numbers and gaps once, and read from left to right.
 */
import { type Token, tokenise } from './tokens.ts'

/** What announces the number of a house. */
const NUMBERS = words(
  'νο no νo nο nº n° νº ν° nr num number αρ αριθ αριθμ αριθμοσ αριθμο αριθμου νουμερο νουμ',
)
/** What announces another number, or a name at a bell. Like the above never part of a street's name. */
const LABELS = words(
  'τκ tk διαμ διαμερισμα οροφοσ οροφου οροφο οροφοι οροφων ορ οροφ επιπεδο επιπεδα κουδ κουδουνι ' +
    'κτιριο κτηριο εισοδοσ ισογειο υπογειο καταστημα γραφειο τηλ τηλεφωνο κιν κινητο tel phone ' +
    'apt apartment flat floor floors fl storey level unit suite room bell',
)
/** Words behind a number that make it a floor's, or say what it counts. */
const COUNTED = words(
  'οροφοσ οροφου οροφο οροφοι οροφων ορ οροφ επιπεδο επιπεδα τμ δωματια δωματιο υπνοδωματια υπνοδωματιο διαμερισματα ' +
    'floor floors fl storey level sqm rooms bedrooms apartments flats',
)
/** Words for a kind of street, behind which an ordinal is part of the name. */
const STREETS = words(
  'οδοσ οδου οδ λεωφοροσ λεωφορου λεωφ λ πλατεια πλατειασ πλ παροδοσ παροδου παρ στοα ακτη ' +
    'odos odou od leoforos leoforou leof plateia plateias platia pl parodos parodou par stoa akti',
)
const JOINTS = words('και κι kai and εωσ ωσ μεχρι eos mexri to till')

/** `28ης`, `3η`, `12th`. One letter alone counts in lower case only: `3Η` is a house. */
const ORDINAL = /^\p{Nd}{1,3}(?:[ηο]|(?:ησ|ασ|οσ|ου|is|as|os|ou|st|nd|rd|th))$/u
const PLAIN = /^\p{Nd}{1,3}$/u
const HOUSE = /^\p{Nd}{1,3}(?:\p{L}|bis|ter)?$/iu

/** What the public may see of `address`: the words before its house number. Null when no name is left. */
export function withoutNumber(address: string): string | null {
  const tokens = tokenise(address)
  const lead = tokens.findIndex(({ kind }) => kind !== 'gap')
  const first = tokens.findIndex(
    ({ kind }, at) =>
      kind === 'number' &&
      !isOrdinalOfName(tokens, at, at === lead) &&
      !(at === lead && isNumberOfName(tokens, at)),
  )
  if (first < 0) return tokens.some(({ kind }) => kind === 'word') ? address : null
  return nameWithin(tokens, 0, first) ?? nameAfter(tokens, first)
}

/**
 * The public address to show where `stored` is kept for `address`. What the agency gave stands, unless it tells what is
 * hidden: a number, or, where it begins with the street, what follows that.
 */
export function publicAddress(stored: string | null, address: string | null): string | null {
  if (stored === null || address === null) return stored
  const street = withoutNumber(address)
  if (stored === street) return stored
  const hidden = new Set(textsOf(street === null ? address : address.replace(street, () => ' ')))
  const goesOn = street !== null && stored.startsWith(street)
  const told = tokenise(stored).filter(({ kind }) => kind === 'number')
  const rest = goesOn ? textsOf(stored.slice(street.length)) : []
  return [...told.map(({ folded }) => folded), ...rest].some((text) => hidden.has(text)) ? street : stored
}

function textsOf(address: string): string[] {
  return tokenise(address).flatMap(({ kind, folded }) => (kind === 'gap' ? [] : [folded]))
}

/** Whether the number at `at` is an ordinal within a name: `28ης Οκτωβρίου`, `Πλατεία 3ης Σεπτεμβρίου`. */
function isOrdinalOfName(tokens: Token[], at: number, leads: boolean): boolean {
  if (!isOrdinal(tokens[at])) return false
  if (!isBlank(tokens[at + 1]) || !isName(tokens[at + 2])) return false
  if (leads) return true
  // Digits that are glued to a word are a number, whatever the word is.
  const gap = tokens[at - 1]
  return gap?.kind === 'gap' && /^[\s.]+$/.test(gap.text) && isOneOf(STREETS, tokens[at - 2])
}

/** `ησ` is what folding makes of `ης`; the two endings of one letter are looked at as they are. */
function isOrdinal(token: Token | undefined): boolean {
  if (!token) return false
  if (ORDINAL.test(token.text)) return true
  // An accent may stand in the ending, not among the digits.
  return ORDINAL.test(token.folded) && /^\p{Nd}+\p{L}{2}/u.test(token.text)
}

/**
 * Whether the plain number that leads is part of the name, as in `12 Αποστόλων 7`: one word, then what can only be a
 * house number. A postal code, a phone or a floor is none, as then the number in front is the house's.
 */
function isNumberOfName(tokens: Token[], at: number): boolean {
  const leads = at === 0 || (at === 1 && isBlank(tokens[0]))
  const isPlain = PLAIN.test(tokens[at]?.text ?? '')
  if (!leads || !isPlain || !isBlank(tokens[at + 1]) || !isName(tokens[at + 2])) return false
  let house = at + 3
  while (tokens[house]?.kind === 'gap' || isOneOf(NUMBERS, tokens[house])) house++
  return isHouse(tokens, house)
}

/** Whether the number at `house` is a house's, by what it looks like and what follows. */
function isHouse(tokens: Token[], house: number): boolean {
  const number = tokens[house]
  if (!number || !HOUSE.test(number.text) || isOrdinal(number) || isPostalCode(tokens, house)) return false
  for (let at = house; ; at += 2) {
    const [gap, next] = [tokens[at + 1], tokens[at + 2]]
    if (!gap || !next) return true
    if (next.kind === 'word') return !/^[\s.]+$/.test(gap.text) || !isLabelOf(tokens, at + 2)
    if (!/^\p{Nd}+$/u.test(next.text) || isPostalCode(tokens, at + 2)) return true
    // Another house of a range is joined; what only follows is part of a phone number.
    if (isBlank(gap) || !PLAIN.test(next.text)) return false
  }
}

/** Whether the word at `at` says what the number before it is: `3 όροφος`, `3 διαμ.`, but not `7 διαμ. 4`. */
function isLabelOf(tokens: Token[], at: number): boolean {
  if (isOneOf(COUNTED, tokens[at])) return true
  const announced = tokens[at + 2]
  const announces = announced?.kind === 'number' || [...(announced?.folded ?? '')].length === 1
  return isOneOf(LABELS, tokens[at]) && !announces
}

/** `10563` or `105 63`. */
function isPostalCode(tokens: Token[], at: number): boolean {
  const [head, gap, tail] = [tokens[at], tokens[at + 1], tokens[at + 2]]
  if (/^\p{Nd}{5}$/u.test(head?.text ?? '')) return true
  const isSplit = /^\p{Nd}{3}$/u.test(head?.text ?? '') && /^\p{Nd}{2}$/u.test(tail?.text ?? '')
  return isSplit && /^[\s.-]*$/.test(gap?.text ?? '')
}

/** The name behind the number at `number`, which leads: `15 Ερμού`, `17-19 Ερμού, κουδούνι 3`. */
function nameAfter(tokens: Token[], number: number): string | null {
  let from = number + 1
  while (from < tokens.length && belongsToNumber(tokens, from)) from++
  let to = from
  while (to < tokens.length && !endsName(tokens, to, to === from)) to++
  return nameWithin(tokens, from, to)
}

/** Whether the token at `at`, behind a number, still belongs to it: another number, a letter, what joins them. */
function belongsToNumber(tokens: Token[], at: number): boolean {
  const token = tokens[at]
  if (token?.kind === 'gap') return true
  if (token?.kind === 'number') return !isOrdinalOfName(tokens, at, true)
  const word = token?.folded ?? ''
  return isLetterOfNumber(tokens, at) || word === 'bis' || word === 'ter' || JOINTS.has(word)
}

/** Whether the word at `at` is the letter of a house, as in `15/Β` and `15 Β`, and not an initial as in `15 Β. Ουγκώ`. */
function isLetterOfNumber(tokens: Token[], at: number): boolean {
  if ([...(tokens[at]?.folded ?? '')].length !== 1) return false
  return !/^[.'’΄]/.test(tokens[at + 1]?.text ?? '') || /^[-–/]$/.test(tokens[at - 1]?.text ?? '')
}

/** Where a name ends that follows its number: at the next number, and at any gap but those within names. */
function endsName(tokens: Token[], at: number, leads: boolean): boolean {
  const token = tokens[at]
  if (token?.kind === 'number') return !isOrdinalOfName(tokens, at, leads)
  if (token?.kind === 'gap') return !/^(?:[ .'’΄&]+|[-–])$/.test(token.text)
  return isLabel(token)
}

/** The text from `from` to before `to`, without what dangles at its end; null when there is no word in it. */
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

/** Whether the word at `at` is half of `Τ.Κ.`. */
function isPostalLabel(tokens: Token[], at: number): boolean {
  const half = /^[τt]$/.test(tokens[at]?.folded ?? '') ? at : at - 2
  const [tau, stop, kappa] = [tokens[half], tokens[half + 1], tokens[half + 2]]
  return /^[τt]$/.test(tau?.folded ?? '') && stop?.text === '.' && /^[κk]$/.test(kappa?.folded ?? '')
}

/** The first gap in which a bracket opens that is not closed again; -1 when there is none. */
function unclosedBracket(tokens: Token[], from: number, to: number): number {
  const open: number[] = []
  for (let at = from; at < to; at++) {
    if (tokens[at]?.kind !== 'gap') continue
    for (const character of tokens[at]?.text ?? '') {
      if ('([{«“'.includes(character)) open.push(at)
      else if (')]}»”'.includes(character)) open.pop()
    }
  }
  // A bracket right behind the last word closes one, too.
  if (/^[)\]}»”]/.test(tokens[to]?.text ?? '')) open.pop()
  return open[0] ?? -1
}

/** What belongs to the last word of a name: a bracket that closes, an apostrophe, the full stop of `Λεωφ.`. */
function closing(name: string, last: Token, next: Token | undefined): string {
  const [mark = ''] = next?.text ?? ''
  if ("'’΄".includes(mark)) return mark
  if (mark === '.') return isOneOf(STREETS, last) ? mark : ''
  return ')]}»”'.includes(mark) && /[([{«“]/.test(name) ? mark : ''
}

function isBlank(token: Token | undefined): boolean {
  return token?.kind === 'gap' && token.text.trim() === ''
}

/** Whether `token` can be a word of a name. */
function isName(token: Token | undefined): boolean {
  return token?.kind === 'word' && [...token.folded].length > 1 && !isLabel(token) && !isOneOf(JOINTS, token)
}

function isLabel(token: Token | undefined): boolean {
  return isOneOf(NUMBERS, token) || isOneOf(LABELS, token)
}

function isOneOf(set: Set<string>, token: Token | undefined): boolean {
  return token?.kind === 'word' && set.has(token.folded)
}

/** A set of words as `fold` makes them. */
function words(list: string): Set<string> {
  return new Set(list.split(' '))
}

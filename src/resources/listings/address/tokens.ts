/** Splits an address into words, numbers and the gaps between them, in one pass. */
import { foldText } from '../../../db/fold.ts'

/**
 * Letters attached to a number belong to it: `15Α`, `12bis`, `28ης`. A gap is anything that is neither word nor number.
 */
export interface Token {
  kind: 'word' | 'number' | 'gap'
  text: string
  /** The folded text; empty for a gap. */
  folded: string
}

/** Splits `address` into tokens. Their texts joined are the address. */
export function tokenise(address: string): Token[] {
  const tokens: Token[] = []
  let kind: Token['kind'] | undefined
  let start = 0
  let at = 0
  for (const character of address) {
    const next = kindOf(character, kind)
    if (kind && next !== kind) {
      tokens.push(token(kind, address.slice(start, at)))
      start = at
    }
    kind = next
    at += character.length
  }
  if (kind) tokens.push(token(kind, address.slice(start)))
  return tokens
}

function token(kind: Token['kind'], text: string): Token {
  return { kind, text, folded: kind === 'gap' ? '' : foldText(text) }
}

/** The kind of a character. Every number sign counts as a digit, in any script: `½`, `⑫`, `Ⅻ`. */
function kindOf(character: string, before: Token['kind'] | undefined): Token['kind'] {
  if (/[\p{N}🔟]/u.test(character)) return 'number'
  // Accents and invisible characters belong to what precedes them.
  if (/[\p{M}\p{Cf}]/u.test(character)) return before ?? 'gap'
  // Not a letter by itself, but part of the word `N°`.
  if (character === '°') return before ?? 'gap'
  if (/\p{L}/u.test(character)) return before === 'number' ? 'number' : 'word'
  return 'gap'
}

/** An address cut into words, numbers and the gaps between them, in one pass. */
import { foldText } from '../../../db/fold.ts'

/** What is glued to a number belongs to it: `15Α`, `12bis`, `28ης`. A gap is whatever is neither word nor number. */
export interface Token {
  kind: 'word' | 'number' | 'gap'
  text: string
  /** The text as `fold` makes it; of a gap nothing. */
  folded: string
}

/** The tokens of `address`, which joined give it back. */
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

/** Whatever stands for a number counts as a digit: `½`, `⑫`, `Ⅻ`, and those of any script. */
function kindOf(character: string, before: Token['kind'] | undefined): Token['kind'] {
  if (/[\p{N}🔟]/u.test(character)) return 'number'
  // Accents, and what nobody sees.
  if (/[\p{M}\p{Cf}]/u.test(character)) return before ?? 'gap'
  // Alone it is no letter, but `N°` is a word.
  if (character === '°') return before ?? 'gap'
  if (/\p{L}/u.test(character)) return before === 'number' ? 'number' : 'word'
  return 'gap'
}

/** Folds text for searching. SQLite folds only the case of ASCII, so folded text is stored beside the original. */

/** Text in lower case, without accents, and with ς as σ: `Άγιος` and `ΑΓΙΟΣ` become the same. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
}

/** Folded text in one line. */
export function oneLine(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim()
}

/** Folded text, of which Hangul takes a third of the bytes when its letters are composed again. */
export function composed(text: string): string {
  return oneLine(text).normalize('NFC')
}

/** The words of a text, folded: runs of letters and digits. */
export function foldedWords(text: string): string[] {
  return foldText(text).match(/[\p{L}\p{Nd}]+/gu) ?? []
}

/** Text as it is searched: SQLite folds the case of ASCII only, so folded text is stored beside the original. */

/** Lower case without accents, final sigma as sigma: `Άγιος` and `ΑΓΙΟΣ` fold to the same. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replaceAll('ς', 'σ')
}

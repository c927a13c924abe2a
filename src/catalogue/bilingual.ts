/**
 * Texts in Greek and in English, side by side, so that neither is forgotten: a table of pairs, or of groups of them.
 *
 *     const TEXTS = inBoth({ save: ['Αποθήκευση', 'Save'], page: [(n: number) => `Σελίδα ${n}`, (n: number) => `Page ${n}`] })
 *     TEXTS.el.save // 'Αποθήκευση'
 */
export type Language = 'el' | 'en'

interface Table {
  readonly [name: string]: readonly [el: unknown, en: unknown] | Table
}
type Texts<T> = {
  readonly [Name in keyof T]: T[Name] extends readonly [infer Text, unknown] ? Text : Texts<T[Name]>
}

/** A table as the texts of each language. */
export function inBoth<T extends Table>(table: T): Record<Language, Texts<T>> {
  return { el: textsOf(table, 0) as Texts<T>, en: textsOf(table, 1) as Texts<T> }
}

function textsOf(table: Table, index: 0 | 1): Record<string, unknown> {
  const isPair = (entry: Table[string]): entry is readonly [unknown, unknown] => Array.isArray(entry)
  return Object.fromEntries(
    Object.entries(table).map(([name, entry]) => [
      name,
      isPair(entry) ? entry[index] : textsOf(entry, index),
    ]),
  )
}

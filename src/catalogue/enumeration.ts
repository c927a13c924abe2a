/** What the files with enumerations share: a value with its names. `enumerations.ts` puts all of them together. */

/** The Greek and the English name of a value. */
export type Names = readonly [el: string, en: string]

/** The values of a table of names, in its order. */
export function valuesIn<const Table extends Readonly<Record<string, Names>>>(
  table: Table,
): readonly [keyof Table & string, ...(keyof Table & string)[]] {
  return Object.keys(table) as [keyof Table & string, ...(keyof Table & string)[]]
}

/** Import and export of a plain resource: all that its fields and parts say. */
import { getTableColumns, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import { batch } from '../../db/client.ts'
import type { TableWithId } from '../../db/page.ts'
import { fieldReferences } from '../../db/references.ts'
import type { Statement } from '../../db/statements.ts'
import { inputs, toRow } from '../../fields/derive.ts'
import type { Fields } from '../../fields/field.ts'
import type { Draft } from '../../http/request/check.ts'
import { isWritten, type Part, type Values } from '../../resources/plain/parts.ts'
import { datesOf, defineEntity, type Entity, rowsOf } from './entity.ts'
import { isSameJson } from './merge-lines.ts'

interface PlainResource {
  selectWhole: (rest: SQL) => Statement<Values>
  present: (row: object, url: (key: string) => string, isAll: true) => Values
  table: TableWithId
  fields: Fields
  parts: Readonly<Record<string, Part>>
  derive?(row: Values): Values
  check?(draft: Draft<Values>, known: { current: Values | null; changedKeys: ReadonlySet<string> }): void
}

/** The dates of a line, or of a stored record. */
type Dates = Record<'date_created' | 'date_updated', string>

/** The entity of a plain resource. Lines have its fields, and the parts that can be written. */
export function entityOf(resource: PlainResource): Entity {
  const { table, fields, parts, check, derive, selectWhole, present } = resource
  const all = Object.entries(parts).flatMap(([name, part]) =>
    isWritten(part) ? [[name, part] as const] : [],
  )
  const derived = Object.keys(parts).filter((name) => !all.some(([written]) => written === name))
  const columns = getTableColumns(table)
  const loads = all.flatMap(([name, { load }]) => (load ? [[name, load] as const] : []))
  const schema = z.object({
    ...inputs(fields),
    ...Object.fromEntries(all.map(([name, { input }]) => [name, input])),
    ...('is_deleted' in columns && { is_deleted: z.boolean().nullish().describe('Whether it was deleted') }),
  })
  const plainRows = rowsOf(table, schema, selectWhole)
  return defineEntity<z.ZodObject, Values, Record<string, unknown[]>>({
    ...plainRows,
    present: (row) => {
      const shown = Object.entries(present(row, (key) => key, true))
      return {
        ...Object.fromEntries(shown.filter(([name]) => !derived.includes(name))),
        ...(row.is_deleted ? { is_deleted: true } : {}),
      }
    },
    references: (values) => [
      ...fieldReferences(fields, values),
      ...all.flatMap(([name, part]) => part.references(values[name], name)),
    ],
    ...(all.some(([, part]) => part.nestedIds) && {
      nestedIds: (values) => all.flatMap(([name, part]) => part.nestedIds?.(values[name], name) ?? []),
    }),
    load: async (db, lines) => {
      if (loads.length === 0) return {}
      const values = (name: string) => lines.map((line) => line.values[name])
      return batch(db, Object.fromEntries(loads.map(([name, load]) => [name, load(values(name))])))
    },
    check: (draft, found, { current, changedKeys }, earlier) => {
      check?.(draft, { current, changedKeys })
      for (const [name, part] of all) {
        const sent = draft.values[name]
        part.check?.(draft, found[name] ?? [], { name, sent, isChanged: changedKeys.has(name), earlier })
      }
    },
    resolve: (values, _, { stored, current }, now) => {
      // The cast: both have been checked by the schemas of these fields.
      const [sent, before] = [values, stored] as unknown as [Partial<Dates>, Dates | null]
      const row: Values = {
        ...toRow(fields, values),
        ...datesOf(sent, before, now),
        // Null until it changes, if it is not assigned.
        ...(!fields.date_updated?.assigned && {
          date_updated: sent.date_updated === undefined ? (before?.date_updated ?? null) : sent.date_updated,
        }),
        version: 1,
        is_deleted: values.is_deleted ?? current?.is_deleted ?? false,
      }
      for (const [name, part] of all)
        Object.assign(row, part.resolve(values[name], name, stored?.[name], now))
      Object.assign(row, derive?.(row))
      return Object.fromEntries(Object.entries(row).filter(([name]) => name in columns || name in parts))
    },
    ...(all.some(([, part]) => part.usesDefinitions) ? { usesDefinitions: true } : {}),
    store: (entries, context, kept) => {
      const storedIn = (name: string) =>
        entries
          .filter(({ row, stored }) => !stored || !isSameJson(row[name], stored[name]))
          .map(({ row }) => ({ id: Number(row.id), stored: row[name] }))
      return [
        ...plainRows.store(entries, context, kept),
        ...all.flatMap(([name, part]) => part.store?.(storedIn(name)) ?? []),
      ]
    },
  })
}

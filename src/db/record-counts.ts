/**
 * How many records there are, by resource and status. Triggers count them in the transaction of each write, as counting
 * rows when they are asked for would read all of them. Listings are counted in `listing_counts`.
 *
 * `npm run migrations:generate` writes the triggers. A migration that changes them removes the mark in `derivations`, and
 * cron then counts all rows once.
 */
import { RECORD_RESOURCES, type Resource } from '../catalogue/resources.ts'
import { batch, type Database } from './client.ts'
import { type Statement, textStatement } from './statements.ts'

const NAME = 'record_counts'

const COUNTED = RECORD_RESOURCES.filter(({ resource }) => resource !== 'listings')

/** The columns `resource, deleted, status` of a row: of `new` or `old` in a trigger, or of the table itself. */
function keyOf({ resource, deletedIf, status }: Resource, row: 'new' | 'old' | null) {
  const prefix = row ? `${row}.` : ''
  return [
    `'${resource}'`,
    deletedIf ? prefix + deletedIf : '0',
    status ? `ifnull(${prefix}${status}, '')` : "''",
  ] as const
}

/** The SQL of the triggers that count a source, one trigger per string. */
function countTriggers(source: Resource): string[] {
  const { table } = source
  const add = `INSERT INTO record_counts (resource, deleted, status, records)
  VALUES (${keyOf(source, 'new').join(', ')}, 1)
  ON CONFLICT DO UPDATE SET records = records + 1;`
  const [resource, deleted, status] = keyOf(source, 'old')
  const subtract = `UPDATE record_counts SET records = records - 1
  WHERE resource = ${resource} AND deleted = ${deleted} AND status = ${status};`
  const trigger = (name: string, event: string, ...body: string[]) =>
    `CREATE TRIGGER record_counts_${table}_${name} AFTER ${event}\nBEGIN\n  ${body.join('\n  ')}\nEND;`
  const columns = [source.deletedIf, source.status].filter((name) => name !== undefined)
  const hasMoved = columns.map((name) => `old.${name} IS NOT new.${name}`).join(' OR ')
  return [
    trigger('insert', `INSERT ON ${table}`, add),
    ...(hasMoved
      ? [trigger('update', `UPDATE OF ${columns} ON ${table} WHEN ${hasMoved}`, subtract, add)]
      : []),
    trigger('delete', `DELETE ON ${table}`, subtract),
  ]
}

export const COUNT_TRIGGERS: readonly string[] = COUNTED.flatMap(countTriggers)

/** Counts all rows, if the triggers have not counted from the beginning. */
export async function countRecords(db: Database): Promise<{ counted: boolean }> {
  const { mark } = await batch(db, {
    mark: textStatement('select 1 from derivations where name = ?', [NAME]),
  })
  if (mark.length > 0) return { counted: false }
  await batch(db, {
    old: textStatement('delete from record_counts'),
    counts: COUNTED.map(selectCounts),
    mark: textStatement(
      "insert into derivations (name, form, cursor) values (?, 'rows', 0) on conflict do nothing",
      [NAME],
    ),
  })
  return { counted: true }
}

/** Reads an index alone, where there is one for the status. */
function selectCounts(source: Resource): Statement {
  const key = keyOf(source, null)
  return textStatement(`insert into record_counts (resource, deleted, status, records)
    select ${key.join(', ')}, count(*) from ${source.table} group by 1, 2, 3`)
}

/**
 * The dates of records in their links to contacts, so that an index has the records of a contact by date. Triggers repeat
 * them, unless a link comes with them (`rows.ts`). A deleted record has none there.
 */
import { RECORD_FIELDS } from '../catalogue/record-fields.ts'
import { contactLinksOf, RECORD_RESOURCES } from '../catalogue/resources.ts'

/** The SQL of the triggers, one each. */
export const LINK_DATE_TRIGGERS: readonly string[] = RECORD_RESOURCES.flatMap((facts) => {
  const { table } = facts
  const kinds = RECORD_FIELDS.get(table)?.timeline?.filter(({ hasDatedLinks }) => hasDatedLinks) ?? []
  if (kinds.length === 0) return []
  const { links, owner } = contactLinksOf(facts)
  const columns = kinds.map(({ at }) => at).join(', ')
  const repeat = (id: string) =>
    `UPDATE ${links} SET (${columns}) = (SELECT ${columns} FROM ${table} WHERE id = new.${id} AND NOT is_deleted)`
  return [
    `CREATE TRIGGER link_dates_${links} AFTER INSERT ON ${links} WHEN new.${kinds[0]?.at} IS NULL
BEGIN
  ${repeat(owner)} WHERE rowid = new.rowid;
END;`,
    `CREATE TRIGGER link_dates_${table} AFTER UPDATE OF ${columns}, is_deleted ON ${table}
BEGIN
  ${repeat('id')} WHERE ${owner} = new.id;
END;`,
  ]
})

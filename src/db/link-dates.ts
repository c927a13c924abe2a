/**
 * The dates of records in their links to contacts, so that an index has the records of a contact by date. Triggers repeat
 * them. A deleted record has none there.
 */
import { RECORD_FIELDS } from '../catalogue/record-fields.ts'
import { RECORD_RESOURCES } from '../catalogue/resources.ts'

/** The SQL of the triggers, one each. */
export const LINK_DATE_TRIGGERS: readonly string[] = RECORD_RESOURCES.flatMap(({ table, one }) => {
  const kinds = RECORD_FIELDS.get(table)?.timeline?.filter(({ hasDatedLinks }) => hasDatedLinks) ?? []
  if (kinds.length === 0) return []
  const [links, owner] = [`${one.toLowerCase()}_contacts`, `${one.toLowerCase()}_id`]
  const columns = kinds.map(({ at }) => at)
  const dates = columns
    .map((column) => `${column} = iif(record.is_deleted, null, record.${column})`)
    .join(', ')
  const repeat = (where: string) =>
    `UPDATE ${links} SET ${dates} FROM ${table} record WHERE record.id = new.${where}`
  return [
    `CREATE TRIGGER link_dates_${links} AFTER INSERT ON ${links}
BEGIN
  ${repeat(`${owner} AND ${links}.rowid = new.rowid`)};
END;`,
    `CREATE TRIGGER link_dates_${table} AFTER UPDATE OF ${columns.join(', ')}, is_deleted ON ${table}
BEGIN
  ${repeat(`id AND ${links}.${owner} = new.id`)};
END;`,
  ]
})

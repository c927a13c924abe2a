/**
 * Which rows refer to files in the bucket. Rows name a file by its key, or, where they came by import, by a URL that ends
 * in the key; links in texts (notes, articles) do not count.
 *
 *     sqlStatement(sql`select … where ${isReferredTo(sql`value`)}`)
 */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/**
 * Every column that names files: a test fails when one is missing. Each has an index `files_of_<table>_<column>`, except
 * where the column holds names already. A new one needs a line here and its index in a migration.
 */
export const FILE_COLUMNS = [
  { table: 'listing_photos', column: 'original_image' },
  { table: 'listing_photos', column: 'watermark_image' },
  { table: 'listing_panoramas', column: 'image' },
  { table: 'listing_panoramas', column: 'thumb' },
  { table: 'stores', column: 'watermark' },
  { table: 'knowledge_base_files', column: 'url' },
] as const

/** Tables that triggers fill with the names in a column that is a list. */
export const FILE_LISTS = [
  { table: 'external_listings', column: 'photos', names: 'external_listing_photo_names' },
] as const

/**
 * What a key and every URL of the same file have in common, as SQL: the last 37 characters without query and fragment,
 * that is 32 random digits and the extension. The indexes are made on just this expression.
 */
export function fileNameOf(reference: SQLWrapper): SQL {
  return sql`substr(substr(${reference}, 1, instr(replace(${reference}, '#', '?') || '?', '?') - 1), -37)`
}

/** Whether any row refers to the file of this key, as SQL. */
export function isReferenced(key: SQLWrapper): SQL {
  const columns = FILE_COLUMNS.map(
    ({ table, column }) =>
      sql`exists (select 1 from ${sql.identifier(table)}
        where ${fileNameOf(sql.identifier(column))} = ${fileNameOf(key)})`,
  )
  const lists = FILE_LISTS.map(
    ({ names }) => sql`exists (select 1 from ${sql.identifier(names)} where name = ${fileNameOf(key)})`,
  )
  return sql`(${sql.join([...columns, ...lists], sql` or `)})`
}

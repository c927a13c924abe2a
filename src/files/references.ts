/**
 * Which rows refer to files in the bucket. Rows name a file by its key or, after an import, by a URL that ends in the
 * key. Links in texts (notes, articles) do not count.
 *
 *     sqlStatement(sql`select … where ${isReferenced(sql`value`)}`)
 */
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'

/**
 * Every column that names files; a test fails if one is missing. Each has an index `files_of_<table>_<column>`. Add a
 * new column here, and its index in a migration.
 */
export const FILE_COLUMNS = [
  { table: 'listing_photos', column: 'original_image' },
  { table: 'listing_photos', column: 'watermark_image' },
  { table: 'listing_panoramas', column: 'image' },
  { table: 'listing_panoramas', column: 'thumb' },
  { table: 'stores', column: 'watermark' },
  { table: 'knowledge_base_files', column: 'url' },
] as const

/** Columns that are lists of files. Triggers copy their names into the table `names`. */
export const FILE_LISTS = [
  { table: 'external_listings', column: 'photos', names: 'external_listing_photo_names' },
] as const

/**
 * The common part of a key and every URL of the same file, as SQL: the last 37 characters without query and fragment.
 * They are 32 random digits and the extension. The indexes use exactly this expression.
 */
export function fileNameOf(reference: SQLWrapper): SQL {
  return sql`substr(substr(${reference}, 1, instr(replace(${reference}, '#', '?') || '?', '?') - 1), -37)`
}

/** A condition in SQL: whether any row refers to the file of this key. */
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

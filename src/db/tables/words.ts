/** The words that the filter `text` of listings looks for (`resources/listings/text/`). They are made of other tables. */
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { listings } from './listings.ts'

/**
 * Which listings have a word in a title or in the code. The migration adds `WITHOUT ROWID`, which drizzle cannot declare:
 * a word is one row, not a row and its key.
 */
export const listing_words = sqliteTable(
  'listing_words',
  {
    word: text().notNull(),
    listing_id: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.word, table.listing_id] })],
)

/** All words of a listing in one list. It says which rows to delete, where an index would cost a row for each word. */
export const listing_word_sets = sqliteTable('listing_word_sets', {
  listing_id: integer()
    .primaryKey()
    .references(() => listings.id),
  words: text({ mode: 'json' }).$type<string[]>().notNull(),
})

/** One row: which words are stored. */
export const text_fill = sqliteTable('text_fill', {
  id: integer().primaryKey(),
  /** The hash of the code that made the words; null before the first words of a database that began without records. */
  form: text(),
  /** The last location whose words are stored; null for all. */
  location: integer(),
  /** The last listing whose words are stored; null for all. */
  listing: integer(),
  /** The state of the places (`PLACES` in `text/fill.ts`) whose words were last looked at; null until all are stored. */
  places: text(),
})

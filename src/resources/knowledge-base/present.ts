/** Presents the categories of articles, and reads one. */
import { type InferSelectModel, sql } from 'drizzle-orm'
import type { z } from 'zod'
import * as catalogue from '../../catalogue/knowledge-base.ts'
import { prepared, selectRows } from '../../db/statements.ts'
import { knowledge_base_categories as categories } from '../../db/tables/knowledge-base.ts'
import { outputs, present } from '../../fields/derive.ts'
import { named } from '../../fields/values.ts'

export const category = named('ArticleCategory', 'A category of articles', outputs(catalogue.category))

/** Reads the category `id`. */
export const selectCategory = prepared(() => selectRows(categories, sql`where id = ${sql.placeholder('id')}`))

/**
 * The JSON of a category.
 * @param all adds whether it is active
 */
export function presentCategory(
  row: InferSelectModel<typeof categories>,
  all: boolean,
): z.output<typeof category> {
  return present(catalogue.category, row, all)
}

/** Import and export of the knowledge base: categories, and articles with their files. */
import { z } from 'zod'
import { category } from '../../../catalogue/knowledge-base.ts'
import { knowledge_base_categories } from '../../../db/tables/knowledge-base.ts'
import { inputs, present, toRow } from '../../../fields/derive.ts'
import { articles as plain } from '../../../resources/knowledge-base/resource.ts'
import { defineEntity, type Entity } from '../entity.ts'
import { entityOf } from '../plain.ts'
import { removalFrom } from '../uses.ts'
import { rowsOf } from './rows.ts'

type CategoryRow = typeof knowledge_base_categories.$inferSelect

const categories = defineEntity({
  ...rowsOf(knowledge_base_categories, z.object(inputs(category))),
  present: (row: CategoryRow) => present(category, row),
  resolve: (values) => ({ ...toRow(category, values), version: 1, icon: values.icon ?? '' }),
})

const plainArticles = entityOf(plain)
const { created_by, date_created, date_updated, views, files, ...leading } = plainArticles.schema.shape

const articles: Entity = {
  ...plainArticles,
  // In the order in which problems are reported.
  schema: z.object({ ...leading, views, created_by, date_created, date_updated, files }),
  // Views and files keep their stored values, in replace mode too, unless the line has others. After a merge, a value is missing
  // only if the line cleared it.
  resolve: (values, context, line, now) => {
    const { views = 0, files = [] } = line.current ? {} : (line.stored ?? {})
    const row = plainArticles.resolve({ ...values, files: values.files ?? files }, context, line, now)
    return { ...row, views: values.views ?? views }
  },
}

export const knowledgeBaseEntities: Entity[] = [categories, articles].map(
  (entity: Entity): Entity => ({
    ...entity,
    remove: removalFrom(entity),
  }),
)

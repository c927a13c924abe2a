/** How articles and categories are created and updated, and removed for good: their ids are never given again. */
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { category } from '../../catalogue/knowledge-base.ts'
import type { Database } from '../../db/client.ts'
import { keepIds } from '../../db/id-floors.ts'
import { changeRecord } from '../../db/merge.ts'
import { nextVersion } from '../../db/record-versions.ts'
import { sqlStatement } from '../../db/statements.ts'
import { knowledge_base_files as files, knowledge_base_categories } from '../../db/tables/knowledge-base.ts'
import { enterChangesWhere, MARKED_AS_DELETED } from '../../db/trail.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { writesOf } from '../plain/plain-writes.ts'
import { selectCategory } from './present.ts'
import { articles } from './resource.ts'

export const articleWrites = writesOf(articles, {
  create: {
    takes: ['title', 'category_id', 'content', 'created_by'],
    optional: ['created_by'],
    description: 'Its files are added once it is stored.',
  },
  update: {
    takes: ['title', 'category_id', 'content'],
    description: 'Only the keys sent change. Null clears the content.',
  },
  decide: () => ({}),
})

export const categoryWrites = writesOf(
  {
    resource: 'knowledge-base/categories',
    table: knowledge_base_categories,
    fields: category,
    parts: {} as Record<never, never>,
    select: selectCategory,
  },
  {
    create: {
      takes: ['name', 'color', 'description', 'icon', 'is_active'],
      optional: ['is_active'],
      description: 'A category is active unless the body says otherwise.',
    },
    update: {
      takes: ['name', 'color', 'description', 'icon', 'is_active'],
      description: 'Only the keys sent change. Null clears the description and the icon.',
    },
    decide: ({ values: { icon, is_active } }, _, { current }) => ({
      set: {
        ...((icon === null || !current) && { icon: icon ?? '' }),
        ...(!current && { is_active: is_active ?? true }),
      },
    }),
  },
)

/** Removes an article and its files, whose bytes the sweep deletes. Throws 404 and 412. */
export async function removeArticle(db: Database, record: RecordRef): Promise<void> {
  const ofArticle = sql`article_id = ${record.id}`
  const { results } = await changeRecord(db, record, {
    ...marking(articles.table, record),
    keptFiles: keepIds(getTableName(files), ofArticle),
    files: sqlStatement(sql`delete from ${files} where ${ofArticle}`),
    ...removal(articles.table, sql`id = ${record.id}`),
  })
  if (results.removed.length === 0) throw notFound(record.name)
}

/** Removes a category. Throws 404, 412, and 409 if articles are in it. */
export async function removeCategory(db: Database, record: RecordRef): Promise<void> {
  const users = sql`from ${articles.table} where category_id = ${record.id}`
  const isUsed = sql`exists (select 1 ${users})`
  const { results } = await changeRecord(db, record, {
    used: sqlStatement<{ count: number }>(sql`select count(*) as count ${users}`),
    ...marking(knowledge_base_categories, record, isUsed),
    ...removal(knowledge_base_categories, sql`id = ${record.id} and not ${isUsed}`),
  })
  const count = results.used[0]?.count ?? 0
  if (count > 0)
    throw new ApiError(409, `Category is used by ${count} ${count === 1 ? 'article' : 'articles'}`)
  if (results.removed.length === 0) throw notFound(record.name)
}

/** The statements that enter the removal of a record in the trail, and check `If-Match`. A record that stays keeps its version. */
function marking(table: SQLiteTable, record: RecordRef, stays: SQL = sql`0`) {
  return {
    trail: enterChangesWhere(table, sql`id = ${record.id} and not ${stays}`, MARKED_AS_DELETED),
    marked: sqlStatement(
      sql`update ${table} set version = ${nextVersion(table, record)} - ${stays} where id = ${record.id}`,
    ),
  }
}

function removal(table: SQLiteTable, where: SQL) {
  return {
    kept: keepIds(getTableName(table), where),
    removed: sqlStatement<{ id: number }>(sql`delete from ${table} where ${where} returning id`),
  }
}

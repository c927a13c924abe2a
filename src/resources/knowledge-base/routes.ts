/** Articles and their categories: read under `/api/knowledge-base`, written under `/office/knowledge-base`. */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { database, runStatement } from '../../db/client.ts'
import { selectRows } from '../../db/statements.ts'
import { knowledge_base_categories as categories } from '../../db/tables/knowledge-base.ts'
import { StorageError } from '../../files/store.ts'
import { idParam } from '../../http/endpoint/parameters.ts'
import { Router } from '../../http/endpoint/router.ts'
import { deletedBody, lookupBody } from '../../http/reply/envelope.ts'
import { readOptions } from '../../http/request/filters.ts'
import { publicUrlBuilder } from '../../http/urls.ts'
import { serveDeletion, serveWrites } from '../plain/writes.ts'
import { serveRead, serveRecords } from '../records.ts'
import { addFile, fileInput, MAX_FORM_BYTES, removeFile, uploadedBody } from './files.ts'
import { category, presentCategory, selectCategory } from './present.ts'
import { articles } from './resource.ts'
import { articleWrites, categoryWrites, removeArticle, removeCategory } from './write.ts'

export const knowledgeBaseRoutes = new Router(
  'Knowledge base',
  'Articles in HTML with files, in categories, for the staff of the agency. The content is returned exactly as it was ' +
    'written, so sanitise it before you show it.',
)

serveRecords(knowledgeBaseRoutes, {
  ...articles,
  read: { ...articles.read, description: 'Reading does not count a view.' },
})

knowledgeBaseRoutes.get(
  '/api/knowledge-base/categories',
  {
    summary: 'Active categories',
    description: 'Inactive categories can still be read by id.',
    filters: readOptions,
    list: true,
    reply: lookupBody(category),
  },
  async (c, input) => {
    const { fields } = input.filters().complete()
    const rows = await runStatement(
      database(c.env),
      selectRows(categories, sql`where is_active = 1 order by id`),
    )
    return rows.map((row) => presentCategory(row, fields === 'all'))
  },
)

serveRead(knowledgeBaseRoutes, {
  resource: 'knowledge-base/categories',
  read: { description: 'Inactive ones too.', record: category },
  select: selectCategory,
  present: (row, _url, all) => presentCategory(row, all),
})

serveWrites(knowledgeBaseRoutes, articleWrites)

serveDeletion(knowledgeBaseRoutes, {
  resource: 'knowledge-base/articles',
  description: 'With its files, which are no longer served. The daily sweep deletes their bytes.',
  remove: removeArticle,
})

serveWrites(knowledgeBaseRoutes, categoryWrites)

serveDeletion(knowledgeBaseRoutes, {
  resource: 'knowledge-base/categories',
  description: 'Only without articles. One that is no longer in use can be made inactive.',
  errors: { 409: 'Category is used by 3 articles' },
  remove: removeCategory,
})

knowledgeBaseRoutes.post(
  '/office/knowledge-base/articles/{id}/files',
  {
    summary: 'Add a file to an article',
    operationId: 'addArticleFile',
    description:
      'The body is the file itself, at most 20 MB, with its name in the query; or a form with one file, which has the name. ' +
      'The type is detected from the bytes. Browsers show pictures and PDF at its `url`, and save all other files.',
    resource: 'Article',
    query: z.object({
      name: z
        .string()
        .optional()
        .describe('Name of the file; of a path the last part. Takes precedence over a form'),
    }),
    body: fileInput,
    bodyType: 'application/octet-stream',
    maxBytes: MAX_FORM_BYTES,
    errors: { 409: 'Article has too many files', 503: StorageError.MESSAGE },
    reply: uploadedBody,
  },
  async (c, input) => {
    const draft = await input.body()
    return c.json(await addFile(c.env, input.record(), draft, publicUrlBuilder(c)))
  },
)

knowledgeBaseRoutes.delete(
  '/office/knowledge-base/articles/{id}/files/{file_id}',
  {
    summary: 'Delete a file of an article',
    operationId: 'deleteArticleFile',
    description: 'It is no longer served. The daily sweep deletes its bytes.',
    resource: 'Article',
    part: true,
    params: z.object({ id: idParam('Article'), file_id: idParam('File') }),
    errors: { 404: 'File not found' },
    reply: deletedBody,
  },
  async (c, input) => {
    const record = input.record()
    const { file_id } = input.params()
    await removeFile(database(c.env), record, file_id)
    return file_id
  },
)

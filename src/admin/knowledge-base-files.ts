/** `/admin/knowledge-base/files/{id}`: uploads the bytes of a file whose record was imported. */
import { sql } from 'drizzle-orm'
import { database, runStatement } from '../db/client.ts'
import { selectRows } from '../db/statements.ts'
import { knowledge_base_files as files } from '../db/tables/knowledge-base.ts'
import { StorageError } from '../files/store.ts'
import { Router } from '../http/endpoint/router.ts'
import { invalid, notFound } from '../http/errors.ts'
import { recordBody } from '../http/reply/envelope.ts'
import { readBytes } from '../http/request/body.ts'
import { publicUrlBuilder } from '../http/urls.ts'
import { MAX_FILE_BYTES, replaceFile, storeBytes } from '../resources/knowledge-base/files.ts'
import { articleFile, presentFile } from '../resources/knowledge-base/resource.ts'
import { ADMINISTRATION } from './tag.ts'

export const knowledgeBaseFileRoutes = new Router(...ADMINISTRATION)

knowledgeBaseFileRoutes.put(
  '/admin/knowledge-base/files/{id}',
  {
    summary: 'Upload a file of an article',
    scope: 'admin:settings',
    operationId: 'uploadArticleFile',
    description:
      'The body is the file itself, at most 20 MB. Import its record first. Sets `url`, `size` and `mime_type`. ' +
      'Pictures and PDF are detected from the bytes; for other files the `Content-Type` of the call counts, then the ' +
      'imported type.',
    resource: 'File',
    bodyType: 'application/octet-stream',
    maxBytes: MAX_FILE_BYTES,
    errors: { 400: 'Missing file', 503: StorageError.MESSAGE },
    reply: recordBody(articleFile),
  },
  async (c, input) => {
    const bytes = await readBytes(c, MAX_FILE_BYTES)
    const id = input.id()
    const [record] = await runStatement(database(c.env), selectRows(files, sql`where id = ${id}`))
    if (!record) throw notFound('File')
    if (bytes.length === 0) throw invalid([{ field: 'file', message: 'Missing file' }])
    const claims = [c.req.header('Content-Type'), record.mime_type]
    const stored = await storeBytes(c.env.PHOTOS, bytes, claims)
    const file = await replaceFile(database(c.env), id, stored)
    return presentFile(file, publicUrlBuilder(c))
  },
)

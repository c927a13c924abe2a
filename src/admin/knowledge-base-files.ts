/** `/admin/knowledge-base/files/{id}`: uploads the bytes of a file whose record was imported. */
import { detectType } from '@estia/photo-codec'
import { sql } from 'drizzle-orm'
import { batch, database, runStatement } from '../db/client.ts'
import { selectRows, sqlStatement } from '../db/statements.ts'
import { knowledge_base_files as files, knowledge_base_articles } from '../db/tables/knowledge-base.ts'
import { enterChangesWhere, jsonNames } from '../db/trail.ts'
import { formatDateTime } from '../fields/values.ts'
import { StorageError, storeFile } from '../files/store.ts'
import { Router } from '../http/endpoint/router.ts'
import { invalid, notFound } from '../http/errors.ts'
import { recordBody, replyWithRecord } from '../http/reply/envelope.ts'
import { readBytes } from '../http/request/body.ts'
import { publicUrlBuilder } from '../http/urls.ts'
import { articleFile, presentFile } from '../resources/knowledge-base/present.ts'
import type { ArticleFile } from '../resources/knowledge-base/queries.ts'
import { ADMINISTRATION } from './tag.ts'

/** Largest file, in bytes. */
const MAX_FILE_BYTES = 20 * 1024 * 1024

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
    const type = mediaTypeOf(bytes, [c.req.header('Content-Type'), record.mime_type])
    const key = await storeFile(c.env.PHOTOS, bytes, type, 'files')
    const file = await replaceFile(c.env, id, { url: key, size: bytes.length, mime_type: type })
    return replyWithRecord(c, presentFile(file, publicUrlBuilder(c)))
  },
)

/** Points the record of a file to the stored bytes. The sweep deletes the former ones. Throws 404. */
async function replaceFile(
  env: Env,
  id: number,
  stored: Pick<ArticleFile, 'url' | 'size' | 'mime_type'>,
): Promise<ArticleFile> {
  const db = database(env)
  const { url, size, mime_type } = stored
  const { file } = await batch(db, {
    stored: sqlStatement(
      sql`update ${files} set url = ${url}, size = ${size}, mime_type = ${mime_type} where id = ${id}`,
    ),
    article: sqlStatement(sql`update knowledge_base_articles set date_updated = ${formatDateTime(new Date())}
      where id = (select article_id from ${files} where id = ${id})`),
    trail: enterChangesWhere(
      knowledge_base_articles,
      sql`id = (select article_id from ${files} where id = ${id})`,
      { others: jsonNames('files') },
    ),
    file: selectRows(files, sql`where id = ${id}`),
  })
  if (!file[0]) throw notFound('File')
  return file[0]
}

/** Types that only the bytes may decide: browsers show these files instead of saving them. */
const DETECTED_TYPES = /^(image\/.*|application\/pdf)$/

/** The media type of a file: detected from its bytes if they are a picture or PDF, else the first usable claim. */
function mediaTypeOf(bytes: Uint8Array, claims: (string | null | undefined)[]): string {
  const detected = detectType(bytes)
  if (DETECTED_TYPES.test(detected)) return detected
  const usable = claims
    .map((claim) => claim?.split(';')[0]?.trim().toLowerCase() ?? '')
    .find((claim) => MEDIA_TYPE.test(claim) && !DETECTED_TYPES.test(claim) && !GENERIC_TYPE.has(claim))
  return usable ?? detected
}

const MEDIA_TYPE = /^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$/
/** Types that clients send by default. */
const GENERIC_TYPE = new Set(['application/octet-stream', 'application/x-www-form-urlencoded'])

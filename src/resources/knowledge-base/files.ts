/**
 * The files of articles. Their bytes go to the bucket first, and the row follows in one transaction with the version of the
 * article. Without a row the sweep deletes the bytes.
 */
import { detectType } from '@estia/photo-codec'
import { type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { batch, type Database, database } from '../../db/client.ts'
import { findViolation } from '../../db/errors.ts'
import { keepIds } from '../../db/id-floors.ts'
import { jsonWithNumber, recordReplyText } from '../../db/idempotency-store.ts'
import { changeRecord, readRecord } from '../../db/merge.ts'
import { nextVersion, selectRecordVersion } from '../../db/record-versions.ts'
import { insertRow, newestId } from '../../db/rows.ts'
import { selectRows, sqlStatement } from '../../db/statements.ts'
import {
  knowledge_base_articles as articles,
  knowledge_base_files as files,
} from '../../db/tables/knowledge-base.ts'
import { enterChangesWhere, jsonNames } from '../../db/trail.ts'
import { cleanLine } from '../../fields/clean.ts'
import { filledText, formatDateTime, named, SHORT_TEXT } from '../../fields/values.ts'
import { storeFile } from '../../files/store.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import { createdBody, createdReply } from '../../http/reply/envelope.ts'
import { bodyTooLarge } from '../../http/request/body.ts'
import type { Draft } from '../../http/request/check.ts'
import { articleFile, MAX_FILE_LIST_BYTES, articles as plainArticles, presentFile } from './resource.ts'

type ArticleFile = typeof files.$inferSelect

/** Largest file, in bytes. */
export const MAX_FILE_BYTES = 20 * 1024 * 1024
/** Largest body with a file: a form says something around it. */
export const MAX_FORM_BYTES = MAX_FILE_BYTES + 16 * 1024

export const fileInput = z.object({
  file: z.instanceof(Uint8Array, { error: 'must be one file' }),
  name: filledText(SHORT_TEXT, fileName),
})

export const uploadedBody = named('ArticleFileCreated', 'The new file of an article', {
  ...createdBody.shape,
  data: articleFile,
})

/** What the bytes of a file say of it. */
type StoredFile = Pick<ArticleFile, 'url' | 'size' | 'mime_type'>

/** The last part of a path, without characters that nothing shows; empty if it only has dots. */
function fileName(path: string): string {
  const name = cleanLine(path).split(/[/\\]/).at(-1)?.trim() ?? ''
  return /^\.+$/.test(name) ? '' : name
}

/** Stores the bytes of a file. `claims` are types that may describe what the bytes do not. Throws a StorageError. */
export async function storeBytes(
  bucket: R2Bucket,
  bytes: Uint8Array,
  claims: (string | null | undefined)[] = [],
): Promise<StoredFile> {
  const mime_type = mediaTypeOf(bytes, claims)
  return { url: await storeFile(bucket, bytes, mime_type, 'files'), size: bytes.length, mime_type }
}

/**
 * Adds a file to an article, and returns the body of the reply. Throws 404, 412, 400, 413 and a StorageError.
 * @param url makes a public URL of a stored key
 */
export async function addFile(
  env: Env,
  record: RecordRef,
  draft: Draft<z.output<typeof fileInput>>,
  url: (key: string) => string,
): Promise<object> {
  const db = database(env)
  const article = await readRecord(db, record, plainArticles.select({ id: record.id }))
  const { file: bytes, name: original_name } = draft.complete()
  if (bytes.length > MAX_FILE_BYTES) throw bodyTooLarge(MAX_FILE_BYTES)
  if (Buffer.byteLength(JSON.stringify(article.files)) > MAX_FILE_LIST_BYTES / 2) {
    throw new ApiError(409, 'Article has too many files')
  }
  const stored = await storeBytes(env.PHOTOS, bytes)
  const row = { original_name, ...stored, date_created: formatDateTime(new Date()) }
  const reply = (id: number) => ({ ...createdReply(id), data: presentFile({ id, ...row }, url) })
  const isArticle = sql`id = ${record.id}`
  try {
    const { results } = await changeRecord(db, record, {
      ...changeFiles(isArticle, nextVersion(articles, record)),
      added: insertRow(files, { article_id: record.id, ...row }),
      recordVersion: selectRecordVersion(record),
      recording: recordReplyText(
        record.idempotentCall,
        record.resource,
        { text: '?', params: [record.id] },
        () => jsonWithNumber(reply, newestId(files).text),
      ),
    })
    if (results.recordVersion[0]) record.reportVersion(results.recordVersion[0])
    return reply(results.added[0]?.id ?? 0)
  } catch (error) {
    // The article has been deleted since it was read.
    throw findViolation(error)?.kind === 'FOREIGNKEY' ? notFound(record.name) : error
  }
}

/** Points the record of a file to stored bytes. The sweep deletes the former ones. Throws 404. */
export async function replaceFile(db: Database, id: number, { url, size, mime_type }: StoredFile) {
  const { file } = await batch(db, {
    ...changeFiles(sql`id = (select article_id from ${files} where id = ${id})`),
    stored: sqlStatement(
      sql`update ${files} set url = ${url}, size = ${size}, mime_type = ${mime_type} where id = ${id}`,
    ),
    file: selectRows(files, sql`where id = ${id}`),
  })
  if (!file[0]) throw notFound('File')
  return file[0]
}

/** Removes the file `id` of an article. The sweep deletes its bytes. Throws 404 and 412. */
export async function removeFile(db: Database, record: RecordRef, id: number): Promise<void> {
  const isFile = sql`id = ${id} and article_id = ${record.id}`
  const isArticle = sql`id = ${record.id}`
  const { results } = await changeRecord(db, record, {
    article: sqlStatement<{ id: number }>(sql`select id from ${articles} where ${isArticle}`),
    ...changeFiles(
      sql`${isArticle} and exists (select 1 from ${files} where ${isFile})`,
      nextVersion(articles, record),
    ),
    kept: keepIds('knowledge_base_files', isFile),
    removed: sqlStatement<{ id: number }>(sql`delete from ${files} where ${isFile} returning id`),
    recordVersion: selectRecordVersion(record),
  })
  if (results.article.length === 0) throw notFound(record.name)
  if (results.removed.length === 0) throw notFound('File')
  if (results.recordVersion[0]) record.reportVersion(results.recordVersion[0])
}

/** The statements that enter a change of the files of the articles that meet `where`, and raise their version. */
function changeFiles(where: SQL, version: SQL = sql`version + 1`) {
  return {
    trail: enterChangesWhere(articles, where, { others: jsonNames('files') }),
    change: sqlStatement(sql`update ${articles}
      set version = ${version}, date_updated = ${formatDateTime(new Date())} where ${where}`),
  }
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

/** `/openapi.json`. The document is made once per isolate, on the first request. */
import { hash } from 'node:crypto'
import type { Context } from 'hono'
import { includesTag } from '../http/concurrency/entity-tags.ts'
import type { App, EntityTags } from '../http/context.ts'
import type { Router } from '../http/endpoint/router.ts'
import { describeApi } from './document.ts'
import { EXAMPLES } from './examples.ts'

let document: ReturnType<typeof makeDocument> | undefined

/** Replies with the document for `routers`, or with 304 if a tag of `ifNoneMatch` matches. */
export function serveDocument(
  c: Context<App>,
  routers: Router[],
  ifNoneMatch: EntityTags | undefined,
): Response {
  document ??= makeDocument(routers)
  const { text, etag } = document
  c.header('ETag', `"${etag}"`)
  c.header('Cache-Control', 'public, max-age=300')
  if (includesTag(ifNoneMatch, etag)) return c.body(null, 304)
  return c.body(text, 200, { 'Content-Type': 'application/json; charset=utf-8' })
}

/** The text of the document, and its tag without quotation marks. */
function makeDocument(routers: Router[]) {
  const text = JSON.stringify(describeApi(routers, EXAMPLES))
  return { text, etag: hash('sha256', text).slice(0, 32) }
}

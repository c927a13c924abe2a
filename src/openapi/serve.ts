/** `/openapi.json`: the document made once per isolate, when it is first asked for. */
import type { Context } from 'hono'
import type { App } from '../http/app.ts'
import type { Router } from '../http/router.ts'
import { describeApi } from './document.ts'
import { EXAMPLES } from './examples.ts'

interface Document {
  text: string
  /** Without its quotes. */
  etag: string
}

let document: Promise<Document> | undefined

/** Answers with the document for `routers`; 304 to whoever has it already, as `ifNoneMatch` tells. */
export async function serveDocument(
  c: Context<App>,
  routers: Router[],
  ifNoneMatch: string | undefined,
): Promise<Response> {
  document ??= makeDocument(routers)
  const { text, etag } = await document
  c.header('ETag', `"${etag}"`)
  c.header('Cache-Control', 'public, max-age=300')
  // A proxy that compresses the answer makes the tag a weak one.
  const known = ifNoneMatch?.includes(etag)
  if (known) return c.body(null, 304)
  return c.body(text, 200, { 'Content-Type': 'application/json; charset=utf-8' })
}

async function makeDocument(routers: Router[]): Promise<Document> {
  const text = JSON.stringify(describeApi(routers, EXAMPLES))
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return { text, etag: Buffer.from(digest).toString('hex').slice(0, 32) }
}

/** Files of the knowledge base, public under unguessable names. None of them may ever run as a page of ours. */
import { sql } from 'drizzle-orm'
import { database } from '../db/client.ts'
import { knowledge_base_files as files } from '../db/tables/knowledge-base.ts'
import { fileNameOf } from '../files/references.ts'
import { serveFile } from '../files/serve.ts'
import { Router } from '../http/endpoint/router.ts'
import { fileNotFound, storedFile } from './stored-file.ts'

/** What a browser may show instead of saving: pictures without scripts, and PDF. */
const SHOWN = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'application/pdf'])

export const fileRoutes = new Router(
  'Files',
  'Files of the knowledge base; whoever knows their address may read them.',
)

fileRoutes.get(
  '/files/{name}',
  {
    summary: 'A stored file',
    description:
      'Never changes, so it may be cached for ever. Takes `Range` and conditional requests. Pictures and PDF are ' +
      'shown, everything else is saved under the name it was uploaded with.',
    ...storedFile,
    replyType: 'application/octet-stream',
  },
  async (c, input) => {
    const key = `files/${input.params().name}`
    // Served as long as an article has the file, by its key or, after an import, by its URL.
    const isOfFile = sql`${fileNameOf(files.url)} = ${fileNameOf(sql`${key}`)}`
    const [file] = await database(c.env).select().from(files).where(isOfFile).limit(1)
    const answer = file && (await serveFile(c.env.PHOTOS, key, c.req.raw))
    if (!answer) throw fileNotFound()
    const shown = SHOWN.has(answer.headers.get('Content-Type') ?? '')
    answer.headers.set(
      'Content-Disposition',
      disposition(shown ? 'inline' : 'attachment', file.original_name),
    )
    return answer
  },
)

/** RFC 6266: the name in ASCII for old readers, and in UTF-8 as RFC 8187 encodes it. */
function disposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^ -~]|["%/\\]/gu, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

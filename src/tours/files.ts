/** Files of the knowledge base, public under unguessable names. None of them may run as a page of this origin. */
import { sql } from 'drizzle-orm'
import { database, runStatement } from '../db/client.ts'
import { selectRows } from '../db/statements.ts'
import { knowledge_base_files as files } from '../db/tables/knowledge-base.ts'
import { fileNameOf } from '../files/references.ts'
import { serveFile } from '../files/serve.ts'
import { Router } from '../http/endpoint/router.ts'
import { databaseBusy } from '../http/errors.ts'
import { fileNotFound, storedFile } from './stored-file.ts'

/** Types that browsers may show instead of saving: pictures without scripts, and PDF. */
const SHOWN = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'application/pdf'])

export const fileRoutes = new Router(
  'Files',
  'Files of the knowledge base. Anyone who knows their URL may read them.',
)

fileRoutes.get(
  '/files/{name}',
  {
    summary: 'A stored file',
    description:
      'Never changes, so it may be cached forever. Supports `Range` and conditional requests. Pictures and PDF are ' +
      'shown; everything else is saved under its original name.',
    ...storedFile,
    replyType: 'application/octet-stream',
    errors: { 503: databaseBusy().message },
  },
  async (c, input) => {
    const key = `files/${input.params().name}`
    // Served only while an article has the file, by its key or, after an import, by its URL.
    const isOfFile = sql`${fileNameOf(files.url)} = ${fileNameOf(sql`${key}`)}`
    const [file] = await runStatement(database(c.env), selectRows(files, sql`where ${isOfFile} limit 1`))
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

/** The header of RFC 6266: the name in ASCII for old clients, and in UTF-8 as RFC 8187 encodes it. */
function disposition(type: 'inline' | 'attachment', name: string): string {
  const plain = name.replace(/[^ -~]|["%/\\]/gu, '_')
  const encoded = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

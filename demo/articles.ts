import { type Random, seeded } from '../fixtures/random.ts'
import { USERS } from './agency.ts'
import { ARTICLE_TEXTS, type ArticleFileText, type ArticleText } from './article-texts.ts'
import { DAY, dateTimeOf, LATEST, momentBetween, OPENED } from './moments.ts'
import { textPdf } from './pdf.ts'

/** The knowledge base, oldest article first, each with one or two files. */
export function demoArticles() {
  const random = seeded(5_009)
  let fileId = 0
  return ARTICLE_TEXTS.map((text, index) => {
    const { created, ...article } = demoArticle(random, text, index + 1)
    const files = text.files.map((file) => {
      fileId += 1
      const { bytes, mime_type } = written(file)
      return {
        id: fileId,
        original_name: file.name,
        mime_type,
        size: bytes.length,
        // Replaced when the file is uploaded.
        url: `https://files.example.com/${fileId}/${encodeURIComponent(file.name)}`,
        date_created: dateTimeOf(created),
      }
    })
    return { ...article, files }
  })
}

/** The bytes of every file, to be uploaded once its record is imported. */
export function articleFiles(): { file_id: number; bytes: Uint8Array }[] {
  return ARTICLE_TEXTS.flatMap(({ files }) => files).map((file, index) => ({
    file_id: index + 1,
    bytes: written(file).bytes,
  }))
}

function demoArticle(random: Random, { category, title, paragraphs }: ArticleText, id: number) {
  const span = (LATEST - OPENED) / ARTICLE_TEXTS.length
  const created = momentBetween(random, OPENED + span * (id - 1), OPENED + span * id)
  const updated = random.chance(0.5) ? momentBetween(random, created + DAY, LATEST + 2 * DAY) : null
  return {
    id,
    title,
    category_id: category,
    created_by: random.pick(USERS).id,
    date_created: dateTimeOf(created),
    date_updated: updated === null ? null : dateTimeOf(updated),
    views: random.int(0, 240),
    content: paragraphs.map((paragraph) => `<p>${paragraph}</p>`).join('\n'),
    created,
  }
}

/** Makes a file by the extension of its name: PDF, or lines of UTF-8. */
function written({ name, lines }: ArticleFileText): { bytes: Uint8Array; mime_type: string } {
  if (name.endsWith('.pdf')) {
    return { bytes: textPdf(name.replace(/\.pdf$/, ''), lines), mime_type: 'application/pdf' }
  }
  return {
    // Spreadsheets detect UTF-8 only with a byte order mark.
    bytes: new TextEncoder().encode(`\ufeff${lines.join('\r\n')}\r\n`),
    mime_type: name.endsWith('.csv') ? 'text/csv' : 'text/plain',
  }
}

// @module-tag slow
import { env } from 'cloudflare:workers'
import { quadrants, toPng } from '@estia/photo-codec/testing'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { storedKeys, sweepAfter } from '../../files/stored.ts'
import { sendTo } from '../../http/send.ts'
import {
  ADMIN_TOKEN,
  call,
  expectError,
  get,
  importRecords,
  keyWith,
  ORIGIN,
  post,
  remove,
} from '../../support/api.ts'
import { failBefore, whileBroken } from '../../support/database.ts'
import { DATE } from '../../support/factories/dates.ts'
import { exported, importText } from '../../support/transfer.ts'
import { importArticle, readArticle, seedKnowledgeBase } from './seed.ts'

const FILES = '/office/knowledge-base/articles/20/files'
const MB = 1024 * 1024
const encode = (text: string) => new TextEncoder().encode(text)
const PDF = encode('%PDF-1.4\n%âãÏÓ\n')
const PNG = toPng(quadrants(4, 4))
let key = ''

beforeAll(async () => {
  key = await keyWith('knowledge-base:write')
  await seedKnowledgeBase()
  await importRecords([['stores', { id: 1, name: 'Center' }]])
})

/** Article 20, without files. */
beforeEach(async () => {
  await env.PHOTOS.delete(await storedKeys())
  await env.DB.exec('delete from knowledge_base_files where article_id = 20')
  await importArticle({ id: 20, title: 'Files', category_id: 1, created_by: 1, date_updated: null })
})

const upload = (bytes: Uint8Array, name: string, headers: Record<string, string> = {}) =>
  call('POST', `${FILES}?name=${encodeURIComponent(name)}`, { body: bytes, headers })

/** A form as clients send it: each part with its headers. */
function form(...parts: [disposition: string, content: string][]) {
  const text = parts.map(
    ([disposition, content]) =>
      `--xyz\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`,
  )
  return {
    body: encode(`${text.join('')}--xyz--\r\n`),
    headers: { 'Content-Type': 'multipart/form-data; boundary=xyz' },
  }
}
const sendForm = (...parts: [disposition: string, content: string][]) => call('POST', FILES, form(...parts))

/** Sends a large body by itself: the helper would look into it. */
async function sendLarge(
  path: string,
  body: BodyInit,
  headers: Record<string, string> = {},
  method = 'POST',
) {
  const init = { method, headers: { Authorization: `Bearer ${key}`, ...headers }, body }
  const answer = await sendTo({}, new Request(ORIGIN + path, init))
  const { error_message, data } = await answer.json<{ error_message?: string; data?: { size: number } }>()
  return [answer.status, error_message ?? data?.size]
}

async function download(url: string) {
  const reply = await sendTo({}, new Request(url))
  const bytes = new Uint8Array(await reply.arrayBuffer())
  return { status: reply.status, headers: reply.headers, bytes }
}

/** How a file is served. */
async function servedAs(url: string) {
  const { status, headers } = await download(url)
  const [shown] = headers.get('Content-Disposition')?.split(';') ?? []
  const others = ['X-Content-Type-Options', 'Content-Security-Policy', 'Cache-Control']
  return [status, headers.get('Content-Type'), shown, ...others.map((name) => headers.get(name))]
}

/** Whatever it is, it cannot run as a page. */
const HARMLESS = ['nosniff', "default-src 'none'; sandbox", 'public, max-age=31536000, immutable']

/** Removes what nothing refers to. */
const sweep = async () => {
  await sweepAfter(1)
  await sweepAfter(2)
}

describe('POST of a file', () => {
  it('stores the bytes, and answers what the article has from then on', async () => {
    const { status, headers, body } = await upload(PDF, 'Συμβόλαιο "Α".pdf')
    const id = body.created_id
    const file = {
      id,
      original_name: 'Συμβόλαιο "Α".pdf',
      mime_type: 'application/pdf',
      size: PDF.length,
      url: expect.stringMatching(`^${ORIGIN}/files/[0-9a-f]{32}\\.pdf$`),
      date_created: DATE,
    }
    expect({ status, body }).toEqual({ status: 200, body: { status: 200, created_id: id, data: file } })
    const read = await get('/api/knowledge-base/articles/20')
    expect(read.body.data).toMatchObject({ files: [body.data], date_updated: DATE })
    expect(headers.get('ETag')).toBe(read.headers.get('ETag'))
  })

  it.each<[string, string | Uint8Array, string, string, 'inline' | 'attachment']>([
    ['PDF', PDF, 'a.txt', 'application/pdf', 'inline'],
    ['a picture', PNG, 'a.pdf', 'image/png', 'inline'],
    [
      'HTML with the name of a picture',
      '<!doctype html><script>1</script>',
      'a.jpg',
      'text/html',
      'attachment',
    ],
    ['HTML behind a comment', '<!-- x --><html></html>', 'a.html', 'text/html', 'attachment'],
    [
      'SVG',
      '<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>',
      'a.png',
      'image/svg+xml',
      'attachment',
    ],
    ['SVG as XML', '<?xml version="1.0"?><svg/>', 'a.svg', 'text/xml', 'attachment'],
    ['a script', 'alert(1)', 'a.js', 'text/plain', 'attachment'],
    ['ZIP', 'PK\x03\x04', 'a.docx', 'application/zip', 'attachment'],
    [
      'what cannot be recognised',
      new Uint8Array([0, 1, 2, 3]),
      'a.png',
      'application/octet-stream',
      'attachment',
    ],
  ])('takes the type of %s from the bytes', async (_, content, name, type, shown) => {
    const bytes = typeof content === 'string' ? encode(content) : content
    const { body } = await upload(bytes, name, { 'Content-Type': 'image/jpeg' })
    expect(body.data).toMatchObject({ mime_type: type, original_name: name, size: bytes.length })
    expect(await servedAs(body.data.url)).toEqual([200, type, shown, ...HARMLESS])
  })

  it.each<[string, string, string]>([
    ['../../etc/passwd', 'passwd', `filename="passwd"; filename*=UTF-8''passwd`],
    [
      'C:\\fakepath\\σχέδιο.dwg',
      'σχέδιο.dwg',
      `filename="______.dwg"; filename*=UTF-8''%CF%83%CF%87%CE%AD%CE%B4%CE%B9%CE%BF.dwg`,
    ],
    [
      'a\r\nSet-Cookie: x=1.txt',
      'a Set-Cookie: x=1.txt',
      `filename="a Set-Cookie: x=1.txt"; filename*=UTF-8''a%20Set-Cookie%3A%20x%3D1.txt`,
    ],
    ['a"; x="b', 'a"; x="b', `filename="a_; x=_b"; filename*=UTF-8''a%22%3B%20x%3D%22b`],
    ['fdp\u202ecod.exe', 'fdpcod.exe', `filename="fdpcod.exe"; filename*=UTF-8''fdpcod.exe`],
    ['.htaccess', '.htaccess', `filename=".htaccess"; filename*=UTF-8''.htaccess`],
  ])('serves the name %j harmlessly', async (name, original_name, disposition) => {
    const { body } = await upload(encode('x'), name)
    expect(body.data.original_name).toBe(original_name)
    const { headers } = await download(body.data.url)
    expect(headers.get('Content-Disposition')).toBe(`attachment; ${disposition}`)
  })

  it('refuses what is no file, or has no name', async () => {
    await expectError(upload(new Uint8Array(0), 'a'), 400, 'Missing file')
    await expectError(post(FILES, PDF), 400, 'Missing name')
    await expectError(upload(PDF, '../..'), 400, 'Invalid name: must not be blank')
    await expectError(upload(PDF, ' '), 400, 'Missing name')
    await expectError(upload(PDF, 'x'.repeat(256)), 400, 'Invalid name: must be at most 255 characters')
    await expectError(sendForm(['name="file"; filename="a"', '']), 400, 'Missing file')
    await expectError(sendForm(['name="note"', 'x']), 400, 'Missing file')
    const two = sendForm(['name="a"; filename="a"', '1'], ['name="b"; filename="b"', '2'])
    await expectError(two, 400, 'Invalid file: must be one file')
    const broken = call('POST', FILES, { ...form(), body: encode('--xyz\r\n') })
    await expectError(broken, 400, 'Invalid form body: it ends too early')
    for (const id of ['999', 'abc']) {
      const path = `/office/knowledge-base/articles/${id}/files`
      await expectError(call('POST', path, { body: new Uint8Array(0) }), 404, 'Article not found')
    }
    // Nothing of a call that is refused is in the bucket.
    expect(await storedKeys()).toEqual([])
  })

  it('takes 20 MB, whole or in a form, and no byte more', { timeout: 120_000 }, async () => {
    const inForm = (size: number) => form(['name="file"; filename="a"', 'x'.repeat(size)])
    const answers: unknown[] = []
    for (const size of [20 * MB, 20 * MB + 1]) {
      const { body, headers } = inForm(size)
      answers.push(
        await sendLarge(`${FILES}?name=a`, new Uint8Array(size)),
        await sendLarge(FILES, body, headers),
      )
    }
    answers.push(await sendLarge(`${FILES}?name=a`, new Uint8Array(21 * MB)))
    expect(answers).toEqual([
      [200, 20 * MB],
      [200, 20 * MB],
      [413, TOO_LARGE],
      [413, TOO_LARGE],
      [413, 'Body too large: at most 20987904 bytes are accepted'],
    ])
    expect(await storedKeys()).toHaveLength(2)
  })

  it('does once what is sent twice with a key, and knows another name or other bytes', async () => {
    const once = { 'Idempotency-Key': 'a-file' }
    const first = await upload(PDF, 'a.pdf', once)
    const second = await upload(PDF, 'a.pdf', once)
    expect([second.body, second.headers.get('ETag'), second.headers.get('Idempotent-Replayed')]).toEqual([
      first.body,
      first.headers.get('ETag'),
      'true',
    ])
    const reused = 'Idempotency-Key was used for another request'
    await expectError(upload(PDF, 'b.pdf', once), 422, reused)
    await expectError(upload(encode('x'), 'a.pdf', once), 422, reused)
    const { body, headers } = form(['name="f"; filename="a"', 'x'])
    const named = (name: string) => ({
      body: encode(new TextDecoder().decode(body).replace('filename="a"', `filename="${name}"`)),
      headers: { ...headers, 'Idempotency-Key': 'a-form' },
    })
    expect((await call('POST', FILES, named('a'))).status).toBe(200)
    await expectError(call('POST', FILES, named('b')), 422, reused)
    expect((await readArticle(20)).files).toHaveLength(2)
  })

  it('keeps the list short enough to be read, exported and imported', async () => {
    const many = Array.from({ length: 400 }, (_, index) => ({
      id: 1000 + index,
      original_name: 'n',
      size: 1,
      url: `https://a.example/${'x'.repeat(1200)}`,
    }))
    await importArticle({ id: 20, files: many })
    await expectError(upload(PDF, 'a'), 409, 'Article has too many files')
    expect(await storedKeys()).toEqual([])
  })

  it('reports an article that is deleted while its file is stored', async () => {
    await importArticle({ id: 21, title: 'Short', category_id: 1, created_by: 1 })
    const DB = failBefore(/insert into knowledge_base_files/, () =>
      env.DB.prepare('delete from knowledge_base_articles where id = 21').run(),
    )
    const request = new Request(`${ORIGIN}/office/knowledge-base/articles/21/files?name=a`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Idempotency-Key': 'gone' },
      body: PDF,
    })
    const again = request.clone()
    const answers = [await sendTo({ DB }, request), await sendTo({}, again)]
    for (const answer of answers)
      expect(await answer.json()).toEqual({ status: 404, error_message: 'Article not found' })
    await sweep()
    expect(await storedKeys()).toEqual([])
  })
})

const TOO_LARGE = 'Body too large: at most 20971520 bytes are accepted'

describe('DELETE of a file', () => {
  it('removes it from the article and from what is served, and leaves the bytes to the sweep', async () => {
    const [{ body: first }, { body: second }] = [await upload(PDF, 'a'), await upload(PDF, 'b')]
    const { body, headers } = await remove(`${FILES}/${second.created_id}`)
    expect(body).toEqual({ status: 200, deleted_id: second.created_id })
    const read = await get('/api/knowledge-base/articles/20')
    expect(read.body.data.files).toEqual([first.data])
    expect(headers.get('ETag')).toBe(read.headers.get('ETag'))
    expect((await download(second.data.url)).status).toBe(404)
    await sweep()
    expect(await storedKeys()).toEqual([first.data.url.slice(ORIGIN.length + 1)])
    // The next file gets another id, so that a repeated call deletes nothing else.
    expect((await upload(PDF, 'c')).body.created_id).toBe(second.created_id + 1)
    await expectError(remove(`${FILES}/${second.created_id}`), 404, 'File not found')
  })

  it('reports what is not there', async () => {
    const { body } = await upload(PDF, 'a')
    const id = body.created_id
    await expectError(remove(`/office/knowledge-base/articles/1/files/${id}`), 404, 'File not found')
    await expectError(remove(`/office/knowledge-base/articles/999/files/${id}`), 404, 'Article not found')
    await expectError(remove(`${FILES}/x`), 404, 'File not found')
    expect((await readArticle(20)).files).toHaveLength(1)
  })
})

describe('export and import', () => {
  it('of an article that calls have made changes nothing', async () => {
    await upload(PDF, 'Οδηγός.pdf')
    const before = await readArticle(20)
    const lines = await exported('knowledge_base_articles')
    await importText(`${lines.join('\n')}\n`)
    expect(await readArticle(20)).toEqual(before)
  })
})

function record(more: Record<string, unknown>) {
  return {
    id: 201,
    original_name: 'file',
    mime_type: null,
    size: 1,
    url: 'https://elsewhere.example/x',
    date_created: '2024-01-01 00:00:00',
    ...more,
  }
}

/** Calls of programs that copy files hold the admin token. */
const replace = (body: Uint8Array, type?: string, id: number | string = 201, key = ADMIN_TOKEN) =>
  call('PUT', `/admin/knowledge-base/files/${id}`, {
    body,
    key,
    headers: type ? { 'Content-Type': type } : {},
  })

describe('a file that an import has named', () => {
  beforeEach(() =>
    importArticle({
      ...{ id: 20, title: 'Files', category_id: 1, created_by: 1, date_updated: null },
      files: [record({ original_name: 'Συμβόλαιο "Α".docx', mime_type: 'application/msword' })],
    }),
  )

  describe('PUT /admin/knowledge-base/files/{id}', () => {
    it('stores the bytes and describes them in the record', async () => {
      const { status, body } = await replace(PDF)
      const { url } = body.data
      expect({ status, body }).toEqual({
        status: 200,
        body: {
          status: 200,
          data: record({
            original_name: 'Συμβόλαιο "Α".docx',
            mime_type: 'application/pdf',
            size: PDF.length,
            url: expect.stringMatching(`^${ORIGIN}/files/[0-9a-f]{32}\\.pdf$`),
          }),
        },
      })
      const article = await readArticle(20)
      expect(article.files).toEqual([body.data])
      expect(article.date_updated > '2025').toBe(true)
      expect((await download(url)).bytes).toEqual(PDF)
    })

    it('replaces the bytes under a new name, and leaves the old ones to the sweep', async () => {
      const { url: first } = (await replace(PDF)).body.data
      const { url: second } = (await replace(PNG)).body.data
      expect(second).not.toBe(first)
      expect((await download(first)).status).toBe(404)
      await sweep()
      expect(await storedKeys()).toEqual([second.slice(ORIGIN.length + 1)])
    })

    it('leaves bytes alone that something else has', async () => {
      const picture = 'photos/0123456789abcdef0123456789abcdef.jpg'
      await env.PHOTOS.put(picture, PNG)
      const shared = { url: 'files/0123456789abcdef0123456789abcdef.png' }
      await env.PHOTOS.put(shared.url, PNG)
      const files = [record({ url: picture }), record({ id: 202, ...shared }), record({ id: 203, ...shared })]
      await importArticle({ id: 20, title: 'Files', category_id: 1, created_by: 1, files })
      await replace(PDF)
      await replace(PDF, undefined, 202)
      await sweep()
      expect(await storedKeys()).toContain(shared.url)
      await replace(PDF, undefined, 203)
      await sweep()
      expect(await storedKeys()).not.toContain(shared.url)
    })

    it.each<[string, Uint8Array | string, string | undefined, string]>([
      ['a picture by its bytes', PNG, 'text/html', 'image/png'],
      ['a PDF by its bytes', PDF, 'application/octet-stream', 'application/pdf'],
      ['text by what the client says', 'a;b', 'text/csv; charset=utf-8', 'text/csv'],
      ['text by what was imported', 'a;b', undefined, 'application/msword'],
      ['vague claims not at all', 'a;b', 'application/octet-stream', 'application/msword'],
      ['no claimed PDF', '<script>', 'application/pdf', 'application/msword'],
      ['no claimed picture', '<html></html>', 'image/png', 'application/msword'],
      ['no claim that is no media type', 'a;b', 'nonsense', 'application/msword'],
      ['HTML as HTML', '<script>alert(1)</script>', 'text/html', 'text/html'],
      ['SVG as SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png', 'image/svg+xml'],
    ])('takes %s', async (_, bytes, contentType, mime_type) => {
      const { data } = (await replace(typeof bytes === 'string' ? encode(bytes) : bytes, contentType)).body
      expect(data).toMatchObject({ mime_type })
      const shown = bytes === PNG || bytes === PDF ? 'inline' : 'attachment'
      expect(data.url).toMatch(shown === 'inline' ? /\.(png|pdf)$/ : /\.bin$/)
      expect(await servedAs(data.url)).toEqual([200, mime_type, shown, ...HARMLESS])
    })

    it('refuses no bytes, too many, unknown files and wrong tokens', async () => {
      const answers = [
        await replace(new Uint8Array(0)),
        await replace(PDF, undefined, 999),
        await replace(PDF, undefined, 'abc'),
        await replace(PDF, undefined, 201, 'wrong'),
      ]
      expect(answers.map(({ body }) => [body.status, body.error_message])).toEqual([
        [400, 'Missing file'],
        [404, 'File not found'],
        [404, 'File not found'],
        [401, 'Missing or wrong admin token or API key'],
      ])
      const token = { Authorization: `Bearer ${ADMIN_TOKEN}` }
      const path = '/admin/knowledge-base/files/201'
      const tooLarge = await sendLarge(path, new Uint8Array(20 * MB + 1), token, 'PUT')
      expect(tooLarge).toEqual([413, TOO_LARGE])
      expect(await storedKeys()).toEqual([])
    })

    it('keeps nothing when the record cannot be written', async () => {
      const { status } = await whileBroken('update on knowledge_base_files', () => replace(PDF))
      expect(status).toBeGreaterThanOrEqual(400)
      await sweep()
      expect(await storedKeys()).toEqual([])
      expect(await readArticle(20)).toMatchObject({ date_updated: null, files: [{ size: 1 }] })
    })
  })

  it.each([
    ['PUT', () => replace(PDF)],
    ['POST of another', () => upload(PDF, 'a')],
  ])('%s fails whole when the bucket does', async (_, call) => {
    const put = vi.spyOn(env.PHOTOS, 'put').mockRejectedValueOnce(new Error('put: internal error (10001)'))
    const reply = await call()
    put.mockRestore()
    await expectError(reply, 503, 'The file could not be stored, try again')
    expect(reply.headers.get('Retry-After')).toBe('1')
    expect(await readArticle(20)).toMatchObject({ date_updated: null, files: [{ size: 1 }] })
  })

  describe('GET /files/{name}', () => {
    it.each(['https://api.agency.example/', '/'])('serves what a record names as %s…', async (prefix) => {
      const { url } = (await replace(PDF)).body.data
      const files = [record({ url: prefix + url.slice(ORIGIN.length + 1) })]
      await importArticle({ id: 20, title: 'Files', category_id: 1, created_by: 1, files })
      expect((await download(url)).bytes).toEqual(PDF)
    })

    it('has nothing for names that no article has, or that hold no bytes', async () => {
      const { url } = (await replace(PDF)).body.data
      await importArticle({ id: 20, title: 'Files', category_id: 1, created_by: 1, files: [] })
      const unknown = [url, `${ORIGIN}/files/0123456789abcdef0123456789abcdef.pdf`, `${ORIGIN}/files/x`]
      for (const address of unknown) {
        const { status, headers } = await download(address)
        expect([status, headers.get('Cache-Control')]).toEqual([404, 'no-store'])
      }
      await expectError(get('/files/..%2Fphotos'), 404, 'Not found')
    })
  })
})

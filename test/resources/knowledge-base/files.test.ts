// @module-tag slow
import { env, exports } from 'cloudflare:workers'
import { quadrants, toPng } from '@estia/photo-codec/testing'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { storedKeys, sweepAfter } from '../../files/stored.ts'
import { ADMIN_TOKEN, expectError, get, importRecords, ORIGIN } from '../../support/api.ts'
import { importArticle, readArticle, seedKnowledgeBase } from './seed.ts'

beforeAll(async () => {
  await seedKnowledgeBase()
  await importRecords([['stores', { id: 1, name: 'Center' }]])
})

const encode = (text: string) => new TextEncoder().encode(text)
const PDF = encode('%PDF-1.4\n%âãÏÓ\n')
const PNG = toPng(quadrants(4, 4))

const sweep = async () => {
  await sweepAfter(1)
  await sweepAfter(2)
}

/** Article 20 with file 201, fresh for each test. */
beforeEach(async () => {
  await env.PHOTOS.delete(await storedKeys())
  await env.DB.exec('delete from knowledge_base_files where article_id = 20')
  await importArticle({
    id: 20,
    title: 'Files',
    category_id: 1,
    created_by: 1,
    date_updated: null,
    files: [record({ original_name: 'Συμβόλαιο "Α".docx', mime_type: 'application/msword' })],
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

async function upload(bytes: BodyInit, contentType?: string, id: number | string = 201, token = ADMIN_TOKEN) {
  const request = new Request(`${ORIGIN}/admin/knowledge-base/files/${id}`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${token}`, ...(contentType ? { 'Content-Type': contentType } : {}) },
    body: bytes,
  })
  const response = await exports.default.fetch(request)
  // biome-ignore lint/suspicious/noExplicitAny: the test looks at any part of it
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

async function download(url: string, headers: Record<string, string> = {}, method = 'GET') {
  const response = await exports.default.fetch(new Request(url, { headers, method }))
  return {
    status: response.status,
    headers: response.headers,
    bytes: new Uint8Array(await response.arrayBuffer()),
  }
}

describe('PUT /admin/knowledge-base/files/{id}', () => {
  it('stores the bytes and describes them in the record', async () => {
    const { status, body } = await upload(PDF)
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
    const { url: first } = (await upload(PDF)).body.data
    const { url: second } = (await upload(PNG)).body.data
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
    await upload(PDF)
    await upload(PDF, undefined, 202)
    await sweep()
    expect(await storedKeys()).toContain(shared.url)
    await upload(PDF, undefined, 203)
    await sweep()
    expect(await storedKeys()).not.toContain(shared.url)
  })

  it.each<[string, BodyInit, string | undefined, string]>([
    ['a picture by its bytes', PNG, 'text/html', 'image/png'],
    ['a PDF by its bytes', PDF, 'application/octet-stream', 'application/pdf'],
    ['text by what the client says', 'a;b', 'text/csv; charset=utf-8', 'text/csv'],
    ['text by what was imported', 'a;b', undefined, 'application/msword'],
    ['vague claims not at all', 'a;b', 'application/octet-stream', 'application/msword'],
    ['no claimed PDF', '<script>', 'application/pdf', 'application/msword'],
    ['no claimed picture', '<html></html>', 'image/png', 'application/msword'],
    ['no claim that is no media type', 'a;b', 'nonsense', 'application/msword'],
    ['SVG as SVG', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/png', 'image/svg+xml'],
  ])('takes %s', async (_, bytes, contentType, mime_type) => {
    const body = typeof bytes === 'string' ? encode(bytes) : bytes
    expect((await upload(body, contentType)).body.data).toMatchObject({ mime_type })
  })

  it('refuses no bytes, too many, unknown files and wrong tokens', async () => {
    const answers = [
      await upload(new Uint8Array(0)),
      await upload(new Uint8Array(20 * 1024 * 1024 + 1)),
      await upload(PDF, undefined, 999),
      await upload(PDF, undefined, 'abc'),
      await upload(PDF, undefined, 201, 'wrong'),
    ]
    expect(answers.map(({ body }) => [body.status, body.error_message])).toEqual([
      [400, 'Missing file'],
      [413, 'Body too large: at most 20971520 bytes are accepted'],
      [404, 'File not found'],
      [404, 'File not found'],
      [401, 'Missing or wrong admin token or API key'],
    ])
    expect(await storedKeys()).toEqual([])
  })

  it('keeps nothing when the record cannot be written', async () => {
    await env.DB.exec(
      "create trigger broken before update on knowledge_base_files begin select raise(abort, 'broken'); end",
    )
    const { status } = await upload(PDF)
    await env.DB.exec('drop trigger broken')
    expect(status).toBeGreaterThanOrEqual(400)
    await sweep()
    expect(await storedKeys()).toEqual([])
    expect(await readArticle(20)).toMatchObject({ date_updated: null, files: [{ size: 1 }] })
  })

  it('fails whole when the bucket does', async () => {
    const put = vi.spyOn(env.PHOTOS, 'put').mockRejectedValueOnce(new Error('put: internal error (10001)'))
    const { status, headers, body } = await upload(PDF)
    put.mockRestore()
    expect([status, headers.get('Retry-After'), body.error_message]).toEqual([
      503,
      '1',
      'The file could not be stored, try again',
    ])
    expect(await readArticle(20)).toMatchObject({ date_updated: null, files: [{ size: 1 }] })
  })
})

describe('GET /files/{name}', () => {
  it('serves a file so that it cannot run as a page', async () => {
    const { url } = (await upload(encode('<script>alert(1)</script>'), 'text/html')).body.data
    expect(url).toMatch(/\.bin$/)
    const { status, headers } = await download(url)
    expect(status).toBe(200)
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-type': 'text/html',
      'content-disposition':
        `attachment; filename="_________ ___.docx"; ` +
        `filename*=UTF-8''${encodeURIComponent('Συμβόλαιο "Α".docx')}`,
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  it.each(['https://api.agency.example/', '/'])('serves what a record names as %s…', async (prefix) => {
    const { url } = (await upload(PDF)).body.data
    const files = [record({ url: prefix + url.slice(ORIGIN.length + 1) })]
    await importArticle({ id: 20, title: 'Files', category_id: 1, created_by: 1, files })
    expect((await download(url)).bytes).toEqual(PDF)
  })

  it('has nothing for names that no article has, or that hold no bytes', async () => {
    const { url } = (await upload(PDF)).body.data
    await importArticle({ id: 20, title: 'Files', category_id: 1, created_by: 1, files: [] })
    const unknown = [url, `${ORIGIN}/files/0123456789abcdef0123456789abcdef.pdf`, `${ORIGIN}/files/x`]
    for (const address of unknown) {
      const { status, headers } = await download(address)
      expect([status, headers.get('Cache-Control')]).toEqual([404, 'no-store'])
    }
    await expectError(get('/files/..%2Fphotos'), 404, 'Not found')
  })
})

import { env } from 'cloudflare:workers'
import { BLUE, paint, RED, toGif, toJpeg, toPng, toWebp } from '@estia/photo-codec/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { bearer, send } from '../http/send.ts'
import { ADMIN_TOKEN, expectDone, expectError, get, importRecords, ORIGIN, remove } from '../support/api.ts'
import { emptyAndSeed } from '../support/storage.ts'

const picture = paint(8, 4, () => RED)
const path = '/admin/stores/1/watermark'

const upload = (body: BodyInit, to = path, headers: Record<string, string> = bearer(ADMIN_TOKEN)) =>
  send('PUT', to, { body, headers })

const keys = async () => (await env.PHOTOS.list()).objects.map(({ key }) => key)
const watermarkUrl = async () => (await get('/api/stores')).body.data[0].watermark_url

const seed = async () => {
  await importRecords([['stores', { id: 1, name: 'Center' }]])
}
beforeEach(() => emptyAndSeed(seed))

describe('PUT /admin/stores/{id}/watermark', () => {
  it.each([
    ['png', 'image/png', () => toPng(picture)],
    ['jpg', 'image/jpeg', () => toJpeg(picture)],
    ['webp', 'image/webp', () => toWebp(picture)],
  ])('stores a picture as it is: %s', async (extension, type, make) => {
    const bytes = await make()
    const answer = await upload(bytes)
    const body = await answer.json<{ data: { watermark_url: string } }>()
    const [key = ''] = await keys()
    expect(key).toMatch(new RegExp(`^watermarks/[0-9a-f]{32}\\.${extension}$`))
    expect({ status: answer.status, body }).toEqual({
      status: 200,
      body: { status: 200, data: { watermark_url: `${ORIGIN}/${key}` } },
    })
    expect(await watermarkUrl()).toBe(`${ORIGIN}/${key}`)
    const served = await send('GET', `/${key}`)
    expect(served.headers.get('Content-Type')).toBe(type)
    expect(new Uint8Array(await served.arrayBuffer())).toEqual(new Uint8Array(bytes))
  })

  it('replaces the previous one', async () => {
    await upload(toPng(picture))
    const [first] = await keys()
    await upload(await toJpeg(picture))
    const second = await watermarkUrl()
    expect(second).not.toBe(`${ORIGIN}/${first}`)
    expect(second).toMatch(/\.jpg$/)
    // Another store may use the former picture as well: the sweep decides.
    expect(await keys()).toEqual(expect.arrayContaining([first, second.slice(ORIGIN.length + 1)]))
  })

  it('keeps the previous one when the bucket fails', async () => {
    await upload(toPng(picture))
    const before = await watermarkUrl()
    const put = vi.spyOn(env.PHOTOS, 'put').mockRejectedValueOnce(new Error('put: internal error (10001)'))
    const answer = await upload(await toJpeg(picture))
    put.mockRestore()
    expect(answer.headers.get('Retry-After')).toBe('1')
    await expectError(answer, 503, 'The file could not be stored, try again')
    expect(await watermarkUrl()).toBe(before)
  })

  it.each([
    ['nothing', () => new Uint8Array()],
    ['text', () => new TextEncoder().encode('hello')],
    ['a GIF', () => toGif(1, 1, [RED, BLUE, RED, BLUE], [{ indexes: [0] }])],
    ['half a PNG', () => toPng(picture).slice(0, 30)],
  ])('refuses %s and keeps what there was', async (_, make) => {
    await upload(toPng(picture))
    const before = await keys()
    const answer = await upload(make())
    await expectError(answer, 400, 'Invalid watermark: must be a PNG, WebP or JPEG image')
    expect(await keys()).toEqual(before)
    expect(await watermarkUrl()).toBe(`${ORIGIN}/${before[0]}`)
  })

  it('takes 20 MB and no more', async () => {
    const limit = 20 * 1024 * 1024
    const headers = { ...bearer(ADMIN_TOKEN), 'Content-Length': String(limit + 1) }
    for (const answer of [await upload('x', path, headers), await upload(new Uint8Array(limit + 1))]) {
      await expectError(answer, 413, `Body too large: at most ${limit} bytes are accepted`)
    }
  })
})

describe('DELETE /admin/stores/{id}/watermark', () => {
  it('removes it from the office', async () => {
    await upload(toPng(picture))
    await expectDone(remove(path), { deleted_id: 1 })
    expect(await watermarkUrl()).toBeNull()
    expect((await remove(path)).status).toBe(200)
  })
})

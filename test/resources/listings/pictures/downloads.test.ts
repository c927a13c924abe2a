/** Photos of imported addresses, which cron downloads. */
import { env } from 'cloudflare:workers'
import { paint, RED, readJpeg, toPng } from '@estia/photo-codec/testing'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { downloadImported } from '../../../../src/resources/listings/pictures/downloads.ts'
import { EVERY_MINUTE, runScheduled } from '../../../../src/scheduled.ts'
import { bearer, send, silenceLog } from '../../../http/send.ts'
import { ADMIN_TOKEN, call, get, ORIGIN, post, put, remove } from '../../../support/api.ts'
import { databaseAround, execute, selectAll } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { minimalListing, readListing } from '../../../support/factories/listing.ts'
import { emptyAndSeed, emptyService } from '../../../support/storage.ts'
import { clean, exported, importText, withProblems } from '../../../support/transfer.ts'

const PNG = toPng(paint(40, 20, () => RED))
const PANORAMA = `photos/${'7'.repeat(32)}.jpg`
const HOST = 'https://old.example'
const STORED = /^http:\/\/estia\.test\/photos\/[0-9a-f]{32}\.jpg$/

let log: string[]

beforeEach(async () => {
  log = silenceLog()
  await emptyAndSeed(seedAgency)
})

const photosOf = (...names: string[]) => names.map((name) => ({ original_image: `${HOST}/${name}.jpg` }))
const line = (id: number, photos: object[], more: object = {}) =>
  JSON.stringify({ entity: 'listings', data: { ...minimalListing, id, photos, ...more } })
const importFetching = (...lines: string[]) => importText(lines.join('\n'), { photos: 'fetch' })

/** Answers downloads, by what stands before the `.jpg`; a picture unless `answers` says otherwise. */
function serve(answers: Record<string, () => Response | Promise<Response>> = {}) {
  return vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
    const [, name = ''] = /([^/]*)\.jpg$/.exec(String(url)) ?? []
    return (answers[name] ?? (() => new Response(PNG)))()
  })
}
/** What a run has done that had nothing to do. */
const NOTHING = { downloaded: 0, failed: 0, forgotten: 0 }
const lost = () => new Response(null, { status: 404 })

/** The addresses that the photos of a listing have. */
const shown = async (id: number): Promise<string[]> =>
  (await readListing(id)).photos.map(({ original_image }: { original_image: string }) => original_image)
const counts = async () => {
  const { waiting, imports } = (await call('GET', '/admin/stats')).body.data
  return { waiting: waiting.imports, failed: imports.warnings.length }
}
const countObjects = async () => (await env.PHOTOS.list()).objects.length
/** Lets the pauses between attempts pass. */
const wait = () => execute("update photo_downloads set due = '2020-01-01 00:00:00' where due is not null")

describe('POST /admin/import?photos=fetch', () => {
  it('has cron download photos, with watermark and sizes, and tells of the change', async () => {
    await send('PUT', '/admin/stores/1/watermark', {
      headers: bearer(ADMIN_TOKEN),
      body: toPng(paint(2, 2, () => [0, 0, 0, 255])),
    })
    const kept = { original_image: 'photos/00000000000000000000000000000000.jpg', kind: 'floor_plan' }
    const captions = [{ language_id: 1, caption: 'Κουζίνα' }]
    const [first, second] = photosOf('a', 'b')
    expect(await importFetching(line(7, [{ ...first, captions }, kept, second ?? {}]))).toEqual(clean(1))
    expect(await shown(7)).toEqual([`${HOST}/a.jpg`, `${ORIGIN}/${kept.original_image}`, `${HOST}/b.jpg`])
    expect(await counts()).toEqual({ waiting: 2, failed: 0 })

    await execute("update listings set date_updated = '2020-01-01 00:00:00', version = version + 1")
    const before = await readListing(7)
    const asked = serve()
    await runScheduled({ cron: EVERY_MINUTE }, env)
    expect(asked.mock.calls.map(([url]) => url)).toEqual([`${HOST}/a.jpg`, `${HOST}/b.jpg`])
    expect(await counts()).toEqual({ waiting: 0, failed: 0 })
    const { data } = (await get('/api/listings/7/photos')).body
    expect(data).toEqual([
      {
        ordernum: 1,
        original_image: expect.stringMatching(STORED),
        watermark_image: expect.stringMatching(STORED),
        kind: 'photo',
        captions,
        width: 40,
        height: 20,
      },
      expect.objectContaining({ ordernum: 2, kind: 'floor_plan' }),
      expect.objectContaining({ ordernum: 3, original_image: expect.stringMatching(STORED), width: 40 }),
    ])
    const object = await env.PHOTOS.get(data[0].original_image.slice(ORIGIN.length + 1))
    expect(await readJpeg(new Uint8Array((await object?.arrayBuffer()) ?? []))).toMatchObject({
      width: 40,
      height: 20,
    })
    // Two copies of two photos.
    expect(await countObjects()).toBe(5)
    const after = await readListing(7)
    expect(after.date_updated).not.toBe(before.date_updated)
    const history = (await get('/api/listings/7/history')).body.data
    expect(history[0]).toMatchObject({ actor: { type: 'cron' }, changed: {}, others: ['photos'] })
    expect((await get('/api/changes?resources=listings')).body.data).toMatchObject([{ id: 7 }])
  })

  it('keeps sizes and sources in an export, so that what is restored is neither measured nor downloaded again', async () => {
    const asked = serve()
    await importFetching(line(7, photosOf('a', 'b'), { panorama_photos: [{ image: PANORAMA }] }))
    await downloadImported(env)
    await execute('update listing_panoramas set width = 8192, height = 4096')
    const file = await exported()
    const { photos, panorama_photos } = JSON.parse(file.at(-1) ?? '').data
    const stored = { original_image: expect.stringMatching(/^photos\//), width: 40, height: 20 }
    expect(photos).toMatchObject(['a', 'b'].map((name) => ({ ...stored, source: `${HOST}/${name}.jpg` })))
    expect(panorama_photos).toEqual([{ image: PANORAMA, thumb: null, width: 8192, height: 4096 }])
    const before = [await shown(7), (await get('/api/listings/7/photos')).body.data]
    for (const mode of ['merge', 'replace']) {
      await emptyService()
      expect(await importText(file.join('\n'), { mode })).toEqual(clean(file.length))
      expect([await shown(7), (await get('/api/listings/7/photos')).body.data]).toEqual(before)
      expect(await exported()).toEqual(file)
      const versions = await selectAll('select version from listings')
      const older = photos.map(({ original_image, watermark_image }: Record<string, unknown>) => ({
        ...{ original_image, watermark_image },
      }))
      for (const same of [older, photosOf('a', 'b')]) {
        expect(await importText(line(7, same), { mode: 'merge', photos: 'fetch' })).toEqual(clean(1))
        expect(await exported()).toEqual(file)
      }
      expect(await selectAll('select version from listings')).toEqual(versions)
    }
    expect(await counts()).toEqual({ waiting: 0, failed: 0 })
    expect(asked).toHaveBeenCalledTimes(2)
  })

  it('stores sizes and sources over records that came from an older export, and those alone', async () => {
    const image = `photos/${'5'.repeat(32)}.jpg`
    await importText(line(7, [{ original_image: image }]))
    const facts = { width: 30, height: 20, source: `${HOST}/a.jpg` }
    const whole = line(7, [{ original_image: image, ...facts }])
    await importText(whole)
    const versions = await selectAll('select version from listings')
    await importText(whole)
    expect(await selectAll('select version from listings')).toEqual(versions)
    expect(JSON.parse((await exported('listings'))[0] ?? '').data.photos).toEqual([
      { original_image: image, watermark_image: null, ...facts },
    ])
  })

  it('does nothing the second time, with or without fetching, and keeps what was downloaded', async () => {
    const asked = serve()
    const file = [line(7, photosOf('a', 'b')), line(8, photosOf('a'))]
    await importFetching(...file)
    await importFetching(...file)
    expect(await counts()).toEqual({ waiting: 3, failed: 0 })
    await downloadImported(env)
    expect(asked).toHaveBeenCalledTimes(3)
    const versions = () => selectAll('select id, version from listings order by id')
    const before = [await shown(7), await shown(8), await versions()]
    await importFetching(...file)
    expect(await importText(file.join('\n'))).toEqual(clean(2))
    await downloadImported(env)
    expect([await shown(7), await shown(8), await versions()]).toEqual(before)
    expect(asked).toHaveBeenCalledTimes(3)
    // Another order, one more, one less.
    await importFetching(line(7, photosOf('c', 'b')))
    expect(await shown(7)).toEqual([`${HOST}/c.jpg`, (before[0] as string[])[1]])
    await downloadImported(env)
    expect(asked).toHaveBeenCalledTimes(4)
    // What the API has removed is fetched again.
    await remove('/api/listings/8/photos/1')
    await importFetching(line(8, photosOf('a')))
    expect(await counts()).toEqual({ waiting: 1, failed: 0 })
    await downloadImported(env)
    expect(await shown(8)).toEqual([expect.stringMatching(STORED)])
  })

  it('leaves addresses as they are without it', async () => {
    await importText(line(7, photosOf('a')))
    expect(await counts()).toEqual({ waiting: 0, failed: 0 })
    // Sent once more, nothing of the record changes, and yet it is fetched.
    await importFetching(line(7, photosOf('a')))
    expect(await counts()).toEqual({ waiting: 1, failed: 0 })
  })

  it('takes at most 20 in a run, the oldest first', async () => {
    const asked = serve()
    const names = Array.from({ length: 15 }, (_, index) => `p${index}`)
    await importFetching(line(7, photosOf(...names)), line(8, photosOf(...names)))
    expect(await downloadImported(env)).toEqual({ downloaded: 20, failed: 0, forgotten: 0 })
    expect(asked).toHaveBeenCalledTimes(20)
    expect((await shown(7)).every((address) => STORED.test(address))).toBe(true)
    expect(await counts()).toEqual({ waiting: 10, failed: 0 })
    expect(await downloadImported(env)).toEqual({ downloaded: 10, failed: 0, forgotten: 0 })
  })

  it('keeps the address after three failures, until it is sent again', async () => {
    const asked = serve({ bad: lost, text: () => new Response('<html>') })
    await importFetching(line(7, photosOf('bad', 'good', 'text')))
    expect(await downloadImported(env)).toEqual({ downloaded: 1, failed: 2, forgotten: 0 })
    // Not before the pause is over.
    expect(await downloadImported(env)).toEqual(NOTHING)
    for (const waiting of [2, 0]) {
      expect(await counts()).toEqual({ waiting: 2, failed: 0 })
      await wait()
      expect(await downloadImported(env)).toMatchObject({ failed: 2 })
      expect(await counts()).toEqual({ waiting, failed: 2 - waiting })
    }
    const { imports } = (await call('GET', '/admin/stats')).body.data
    expect(imports.warnings[0]).toEqual({
      listing_id: 7,
      address: expect.stringContaining(HOST),
      message: 'Not downloaded after 3 attempts',
    })
    await wait()
    expect(await downloadImported(env)).toMatchObject({ failed: 0 })
    expect(asked).toHaveBeenCalledTimes(7)
    expect(await shown(7)).toEqual([`${HOST}/bad.jpg`, expect.stringMatching(STORED), `${HOST}/text.jpg`])
    expect(log.some((entry) => entry.includes('Could not download photo') && !entry.includes(HOST))).toBe(
      true,
    )
    vi.restoreAllMocks()
    serve()
    await importFetching(line(7, photosOf('bad')))
    expect(await counts()).toEqual({ waiting: 1, failed: 1 })
    await downloadImported(env)
    expect(await shown(7)).toEqual([expect.stringMatching(STORED)])
  })

  it('counts an attempt that was cut off, and takes it up again after a while', async () => {
    const asked = serve({ a: () => new Promise<Response>(() => {}) })
    await importFetching(line(7, photosOf('a')))
    // Never comes back, as in an isolate that dies.
    void downloadImported(env)
    await vi.waitFor(() => expect(asked).toHaveBeenCalledTimes(1))
    expect(await downloadImported(env)).toEqual(NOTHING)
    vi.restoreAllMocks()
    serve()
    await wait()
    expect(await downloadImported(env)).toMatchObject({ downloaded: 1 })
    expect(await selectAll('select attempts, due from photo_downloads')).toEqual([{ attempts: 2, due: null }])
  })

  it('counts an attempt at a host that fails as D1 does, and goes on to the others', async () => {
    serve({ a: () => Promise.reject(new Error('Network connection lost.')) })
    await importFetching(line(7, photosOf('a', 'b')))
    expect(await downloadImported(env)).toEqual({ downloaded: 1, failed: 1, forgotten: 0 })
    expect(await selectAll('select attempts from photo_downloads where image is null')).toEqual([
      { attempts: 1 },
    ])
  })

  it('counts no attempt while the bucket or the database is away', async () => {
    serve()
    await importFetching(line(7, photosOf('a')))
    const put = vi.spyOn(env.PHOTOS, 'put').mockRejectedValue(new Error('R2 is away'))
    const DB = databaseAround(async (send, texts) => {
      if (texts.length < 4) return send()
      throw new Error('D1_ERROR: Network connection lost.')
    })
    for (let run = 0; run < 4; run++)
      expect(await downloadImported({ ...env, ...(run > 1 && { DB }) })).toEqual(NOTHING)
    expect(await selectAll('select attempts from photo_downloads')).toEqual([{ attempts: 0 }])
    put.mockRestore()
    expect(await downloadImported(env)).toMatchObject({ downloaded: 1 })
  })

  it('stores a photo once although two runs download it, and although the first write was answered by a fault', async () => {
    serve()
    await importFetching(line(7, photosOf('a', 'a')))
    let isBroken = true
    const DB = databaseAround(async (send, texts) => {
      const results = await send()
      if (!isBroken || texts.length < 4) return results
      isBroken = false
      throw new Error('D1_ERROR: Network connection lost.')
    })
    await downloadImported({ ...env, DB })
    expect(isBroken).toBe(false)
    const [first, second] = await shown(7)
    expect(first).toMatch(STORED)
    // The same address twice is one file.
    expect(second).toBe(first)
    expect(await selectAll('select version from listings')).toEqual([{ version: 2 }])
    await wait()
    await execute('update photo_downloads set image = null, due = ?', '2020-01-01 00:00:00')
    expect(await downloadImported(env)).toEqual({ downloaded: 0, failed: 0, forgotten: 1 })
    expect([await shown(7), await counts()]).toEqual([[first, second], { waiting: 0, failed: 0 }])
  })

  it('follows photos that were moved or removed meanwhile', async () => {
    serve()
    await importFetching(line(7, photosOf('a', 'b', 'c')))
    await put('/api/listings/7/photos', { order: [3, 1, 2] })
    await remove('/api/listings/7/photos/2')
    expect(await downloadImported(env)).toEqual({ downloaded: 2, failed: 0, forgotten: 1 })
    expect(await shown(7)).toEqual([expect.stringMatching(STORED), expect.stringMatching(STORED)])
    expect(await selectAll('select address from photo_downloads order by address')).toEqual([
      { address: `${HOST}/b.jpg` },
      { address: `${HOST}/c.jpg` },
    ])
  })

  it('refuses a line with an address that it would not call, changed or not', async () => {
    const bad = [
      'https://user@old.example/1.jpg',
      'https://user:pass@old.example/1.jpg',
      'http://10.0.0.7/1.jpg',
    ]
    const strict = { ALLOW_PRIVATE_PHOTO_URLS: 'false' }
    const sendStrictly = async (body: string, query: string) =>
      (await post(`/admin/import?${query}`, body, { bindings: strict })).body.data
    const body = line(7, [...photosOf('a'), ...bad.map((original_image) => ({ original_image }))])
    const problems = [1, 2, 3].map((index) => {
      const field = `photos.${index}.original_image`
      return { field, message: `Invalid ${field}: invalid photo url` }
    })
    const error = { line: 1, entity: 'listings', id: 7, message: problems[0]?.message, problems }
    const refused = { ...clean(0), rejected: 1, errors: [error] }
    expect(await sendStrictly(body, 'photos=fetch')).toEqual(refused)
    expect(await selectAll('select id from listings')).toEqual([])
    expect(await sendStrictly(body, '')).toEqual(clean(1))
    expect(await sendStrictly(body, 'photos=fetch')).toEqual(refused)
    expect(await counts()).toEqual({ waiting: 0, failed: 0 })
  })

  it('takes no other value, and nothing of lines that are refused or of other pictures', async () => {
    expect((await call('POST', '/admin/import?photos=all', { body: '' })).status).toBe(400)
    const own = { original_image: `${ORIGIN}/photos/00000000000000000000000000000000.jpg` }
    const panorama_photos = [{ image: `${HOST}/p.jpg` }]
    const { errors } = await importFetching(
      line(7, [own], { panorama_photos }),
      line(8, photosOf('a'), { price: -1 }),
      line(9, [{ original_image: null, watermark_image: `${HOST}/w.jpg` }]),
    )
    expect(errors).toEqual(
      withProblems([{ line: 2, entity: 'listings', id: 8, message: 'Invalid price: must be at least 0' }]),
    )
    expect(await counts()).toEqual({ waiting: 0, failed: 0 })
  })
})

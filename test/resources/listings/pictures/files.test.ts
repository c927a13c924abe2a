import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { RED } from '../../../../fixtures/pictures.ts'
import { bearer, send } from '../../../http/send.ts'
import { call, expectData, keyWith, ORIGIN } from '../../../support/api.ts'
import { selectAll } from '../../../support/database.ts'
import { seedAgency } from '../../../support/factories/agency.ts'
import { createListing, readListing } from '../../../support/factories/listing.ts'

/** Red, 4 × 2 pixels. */
const PNG = Uint8Array.fromBase64(RED)
const TEXT = new TextEncoder().encode('hello')
const refused = (type: string) => {
  const error = `Unsupported or unrecognized image type: ${type}`
  return { url: null, success: false, error }
}
const STORED = /^http:\/\/estia\.test\/photos\/[0-9a-f]{32}\.jpg$/

let id = 0

beforeAll(seedAgency)

beforeEach(async () => {
  id = await createListing()
})

/** The entry of a picture that is stored, by the last segment of the call's path. */
const file = expect.stringMatching(STORED)
const success = { url: null, success: true }
const ENTRIES = {
  photos: (ordernum: number) => ({ ...success, ordernum, original_image: file, watermark_image: null }),
  'panorama-photos': (ordernum: number) => ({ ...success, ordernum, image: file, thumb: file }),
}
type Kind = keyof typeof ENTRIES
const KINDS = Object.keys(ENTRIES) as Kind[]

interface Part {
  name: string
  content: Uint8Array | string
  file?: string
}

const BYTES = [
  ['a PNG', PNG],
  ['a JPEG', Uint8Array.of(0xff, 0xd8, 0xff, 0xe0)],
  ['a GIF', new TextEncoder().encode('GIF89a')],
  ['a WebP', new TextEncoder().encode('RIFF____WEBP')],
  ['a form', new TextEncoder().encode('--x\r\nContent-Disposition: form-data; name="photos"\r\n\r\n')],
] as const

describe.each(KINDS)('bytes without their type, to %s', (kind) => {
  const upload = (body: Uint8Array | string, type?: string) =>
    call('POST', `/api/listings/${id}/${kind}`, { body, headers: type ? { 'Content-Type': type } : {} })
  const needs = 'a picture needs image/*, a form with several multipart/form-data'

  it.each(BYTES)('%s: the reply says what it needs', async (_, bytes) => {
    expect(await upload(bytes)).toMatchObject({
      status: 400,
      body: { status: 400, error_message: `Missing Content-Type: ${needs}` },
    })
    for (const type of ['application/octet-stream', 'application/x-www-form-urlencoded', 'application/json'])
      expect((await upload(bytes, type)).body.error_message).toBe(`Invalid Content-Type: ${needs}`)
  })

  it.each(['{', '[]', '"text"', 'text', '%PDF-1.7'])('%s is no JSON object, as elsewhere', async (text) => {
    expect((await upload(text)).body.error_message).toBe('Invalid JSON body')
  })
})

/** A call with a form, as the platform writes it. */
async function sendForm(
  path: string,
  parts: Part[],
  { key, headers = {} }: { key?: string; headers?: Record<string, string> } = {},
) {
  const form = new FormData()
  for (const { name, content, file } of parts) {
    if (typeof content === 'string') form.append(name, content)
    else form.append(name, new File([new Uint8Array(content)], file ?? 'house.jpg'))
  }
  const made = new Response(form)
  const body = await made.bytes()
  const type = made.headers.get('Content-Type') ?? ''
  return call('POST', path, { body, headers: { 'Content-Type': type, ...headers }, ...(key ? { key } : {}) })
}

const sendBytes = (path: string, body: Uint8Array, type: string) =>
  call('POST', path, { body, headers: { 'Content-Type': type } })

describe.each(KINDS)('POST /api/listings/{id}/%s', (kind) => {
  const path = () => `/api/listings/${id}/${kind}`

  it.each(['image/png', 'image/jpeg', 'IMAGE/*; q=1', 'image/anything'])(
    'takes one picture as %s: the bytes decide',
    async (type) => {
      await expectData(sendBytes(path(), PNG, type), [ENTRIES[kind](1)])
      const { photos, panorama_photos } = await readListing(id)
      expect([photos.length, panorama_photos.length]).toEqual(kind === 'photos' ? [1, 0] : [0, 1])
    },
  )

  it('takes every file of a form, in order, whatever it is called', async () => {
    const { body, headers } = await sendForm(path(), [
      { name: 'photos', content: PNG },
      { name: 'photos', content: TEXT, file: 'text.jpg' },
      { name: 'other', content: PNG, file: 'photo.exe' },
      { name: 'photos', content: new Uint8Array(0) },
    ])
    expect(body).toEqual({
      status: 200,
      data: [ENTRIES[kind](1), refused('text/plain'), ENTRIES[kind](2), refused('application/octet-stream')],
    })
    expect(headers.get('X-Ignored-Fields')).toBeNull()
    const table = kind === 'photos' ? 'listing_photos' : 'listing_panoramas'
    const results = await selectAll(`select ordernum from ${table} where listing_id = ?`, id)
    expect(results).toEqual([{ ordernum: 1 }, { ordernum: 2 }])
  })

  it('names what is no file, and refuses it when asked to be strict', async () => {
    const parts = [
      { name: 'photos', content: `${ORIGIN}/1.jpg` },
      { name: 'Σημείωση', content: 'x' },
      // A name is told once.
      { name: 'Σημείωση', content: 'y' },
      { name: 'photos', content: PNG },
    ]
    const { body, headers } = await sendForm(path(), parts)
    expect(body).toEqual({ status: 200, data: [ENTRIES[kind](1)] })
    expect(headers.get('X-Ignored-Fields')).toBe('photos, %CE%A3%CE%B7%CE%BC%CE%B5%CE%AF%CF%89%CF%83%CE%B7')
    const strict = await sendForm(path(), parts, { headers: { Prefer: 'handling=strict' } })
    expect(strict.body).toEqual({ status: 400, error_message: 'Invalid photos: no such field' })
    expect(strict.headers.get('Preference-Applied')).toBe('handling=strict')
  })

  it('refuses a call without a picture, or with too many, once the listing is found', async () => {
    const many = Array.from({ length: 101 }, () => ({ name: 'photos', content: TEXT }))
    const answers = async (of: string) => [
      (await sendBytes(of, new Uint8Array(0), 'image/png')).body,
      (await sendForm(of, [{ name: 'note', content: 'x' }])).body,
      (await sendForm(of, many)).body,
    ]
    expect(await answers(path())).toEqual([
      { status: 400, error_message: 'Missing photos' },
      { status: 400, error_message: 'Missing photos' },
      { status: 400, error_message: 'Invalid photos: must have at most 100 entries' },
    ])
    const notFound = { status: 404, error_message: 'Listing not found' }
    for (const unknown of ['999999', 'abc']) {
      expect(await answers(`/api/listings/${unknown}/${kind}`)).toEqual([notFound, notFound, notFound])
    }
  })

  it('is refused without the scope, and when it is too large', async () => {
    const key = await keyWith('listings:read')
    expect((await sendForm(path(), [{ name: 'photos', content: PNG }], { key })).status).toBe(403)
    const limit = 28 * 1024 * 1024
    const writer = await keyWith('listings:write')
    for (const type of ['image/png', 'multipart/form-data; boundary=xyz']) {
      const headers = { ...bearer(writer), 'Content-Type': type }
      const answer = await send('POST', path(), { body: new Uint8Array(limit + 1), headers })
      expect(await answer.json()).toEqual({
        status: 413,
        error_message: `Body too large: at most ${limit} bytes are accepted`,
      })
    }
  })
})

/** How long the address of a photo may be, and how much of it an answer repeats. */

import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { importRecords, post } from '../../../support/api.ts'
import { createListing } from '../../../support/factories/listing.ts'
import { seedRequests } from '../../requests/seed.ts'

const PNG = toPng(paint(4, 4, () => RED))
const HOST = 'https://a.example/'

/** An address of so many characters, of which all but the first are `character`. */
const address = (length: number, character = 'x') => HOST + character.repeat(length - HOST.length)
const fetchPicture = async () => new Response(PNG)

beforeAll(async () => {
  await seedRequests()
  await importRecords([
    ['contact_sources', { id: 1, name: 'Website' }],
    ['external_listing_statuses', { id: 1, name: 'New' }],
  ])
})

const [FINE, INVALID, LOST] = [undefined, 'Invalid photo url', 'Could not download photo'] as const

const ADDRESSES: [what: string, url: string, echo: string, error: string | undefined][] = [
  ['the longest', address(2048), address(2048), FINE],
  ['one character more', address(2049), address(2048), INVALID],
  ['megabytes', address(5_000_000), address(2048), INVALID],
  [
    'as many characters of more bytes than any request line has',
    address(2048, '中'),
    HOST + '中'.repeat(676),
    INVALID,
  ],
  ['emoji, which are not cut in half', address(2048, '🏠'), HOST + '🏠'.repeat(507), INVALID],
  ['escapes of JSON', `ftp://a/${'"\u0001'.repeat(1000)}`, `ftp://a/${'"\u0001'.repeat(255)}`, INVALID],
  ['broken Unicode', '\ud800'.repeat(2000), '\ud800'.repeat(341), INVALID],
]

describe.each([
  ['photos', 'original_image'],
  ['panorama-photos', 'image'],
])('POST /api/listings/{id}/%s', (kind, image) => {
  it.each(ADDRESSES)('%s', async (_, url, echo, error) => {
    const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(fetchPicture)
    const { body } = await post(`/api/listings/${await createListing()}/${kind}`, { photos: [url, { url }] })
    const outcome = error
      ? { url: echo, success: false, error }
      : { url: echo, success: true, ordernum: expect.any(Number), [image]: expect.any(String) }
    expect(body).toEqual({
      status: 200,
      data: [expect.objectContaining(outcome), expect.objectContaining(outcome)],
    })
    expect(asked).toHaveBeenCalledTimes(error ? 0 : 2)
  })

  it('repeats at most 2,048 bytes of an address that gives no picture', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status: 404 }))
    const { body } = await post(`/api/listings/${await createListing()}/${kind}`, {
      photos: [address(2048, 'ω'), address(2000)],
    })
    expect(body.data).toEqual([
      { url: HOST + 'ω'.repeat((2048 - 18) / 2), success: false, error: LOST },
      { url: address(2000), success: false, error: LOST },
    ])
  })
})

it.each(ADDRESSES)('POST /api/external-listings: %s', async (_, url, _echo, error) => {
  // A body there has 2 MB.
  if (url.length > 2_000_000) return
  const asked = vi.spyOn(globalThis, 'fetch').mockImplementation(fetchPicture)
  const body = { store_id: 1, created_by: 1, photos: [url] }
  const { headers, body: answer } = await post('/api/external-listings', body)
  expect([headers.get('X-Photo-Errors'), answer.data.photos.length]).toEqual(
    error ? [`photos.0: ${error}`, 0] : [null, 1],
  )
  expect(asked).toHaveBeenCalledTimes(error ? 0 : 1)
})

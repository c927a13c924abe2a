import { MAX_PHOTO_BYTES } from '@estia/photo-codec'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { decodeBase64, loadPhoto, parsePhotoEntry } from '../../src/photos/entry.ts'
import { PHOTO_ERRORS } from '../../src/photos/errors.ts'

describe('parsePhotoEntry', () => {
  it('refuses as many bytes as a text may not stand for', () => {
    const data = new Uint8Array(MAX_PHOTO_BYTES + 1)
    expect(() => parsePhotoEntry({ data })).toThrow(PHOTO_ERRORS.undecodable)
    const source = parsePhotoEntry({ data: data.subarray(1) })
    expect('bytes' in source && source.bytes.length).toBe(MAX_PHOTO_BYTES)
  })

  it.each([
    ['https://example.com/a.jpg', { url: 'https://example.com/a.jpg' }],
    [{ url: 'a' }, { url: 'a' }],
    [{ data: 'AAAA' }, { data: 'AAAA' }],
    [{ data: new Uint8Array([1]) }, { bytes: new Uint8Array([1]) }],
    [{ url: 'a', data: new Uint8Array([1]) }, { url: 'a' }],
    [{ url: '', data: 'AAAA' }, { url: '' }],
    [{ url: null, data: 'AAAA' }, { data: 'AAAA' }],
  ])('reads %j', (entry, source) => {
    expect(parsePhotoEntry(entry)).toEqual(source)
  })

  it.each([
    [null],
    [1],
    [[]],
    [{}],
    [{ url: 1 }],
    [{ data: 1 }],
    [{ url: 1, data: 'AAAA' }],
    [{ url: { url: 'a' } }],
  ])('refuses %j', (entry) => {
    expect(() => parsePhotoEntry(entry)).toThrow(
      'Each photo must be a URL string, or an object with url or data (base64-encoded image bytes)',
    )
  })
})

describe('decodeBase64', () => {
  it.each([
    'AQID/+8=',
    'data:image/png;base64,AQID/+8=',
    'data:image/svg+xml;base64,AQID/+8=',
    'DATA:image/JPEG;BASE64,AQID/+8=',
    ' AQID\n/+8=\r\n',
    'data:image/png;base64, AQ ID\t/+8=',
  ])('reads %j', (text) => {
    expect([...decodeBase64(text)]).toEqual([1, 2, 3, 255, 239])
  })

  it.each([
    '',
    'data:image/png;base64,',
    'A',
    'AAA',
    'AA=A',
    'AAA-',
    'AQID,/+8',
    'häß!',
    'data:text/plain;base64,AAAA',
    'data:image/png,AAAA',
    'data:image/png;charset=utf-8;base64,AAAA',
    'data:image/png;base64,data:image/png;base64,AAAA',
  ])('refuses %j', (text) => {
    expect(() => decodeBase64(text)).toThrow(PHOTO_ERRORS.badBase64)
  })

  it.each(['', ' '])('refuses the first byte beyond 20 MB, with %j around the text', (space) => {
    const text = (bytes: number) => space + Buffer.alloc(bytes).toString('base64') + space
    expect(decodeBase64(text(MAX_PHOTO_BYTES)).length).toBe(MAX_PHOTO_BYTES)
    expect(() => decodeBase64(text(MAX_PHOTO_BYTES + 1))).toThrow(PHOTO_ERRORS.undecodable)
  })

  it('refuses more than 20 MB', () => {
    expect(() => decodeBase64('A'.repeat(28_000_000))).toThrow(PHOTO_ERRORS.undecodable)
  })

  it('reads text with spaces in it, and refuses what is no base64, wherever its pieces end', () => {
    const space = fc.constantFrom('', '', ' ', '\n', '\u00a0\t')
    const property = fc.property(
      fc.integer({ min: 1, max: 150_000 }),
      fc.array(space, { minLength: 1, maxLength: 5 }),
      fc.constantFrom('', '!', '=', 'é', '-'),
      fc.nat(),
      (length, spaces, damage, place) => {
        const bytes = Buffer.alloc(length, 'some bytes')
        const groups: string[] = bytes.toString('base64').match(/.{1,7}/g) ?? []
        const spaced = ` ${groups.map((group, index) => group + spaces[index % spaces.length]).join('')}\u00a0`
        expect(bytes.equals(decodeBase64(spaced))).toBe(true)
        // Within the text: at its end an equals sign may be in its place.
        const at = place % (spaced.length - 20)
        const damaged = spaced.slice(0, Math.max(0, at)) + damage + spaced.slice(Math.max(0, at))
        if (damage && length > 20) expect(() => decodeBase64(damaged)).toThrow(PHOTO_ERRORS.badBase64)
      },
    )
    fc.assert(property, { numRuns: 30 })
  })
})

describe('loadPhoto', () => {
  it('takes the bytes from where the entry says', async () => {
    vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response('far'))
    const options = { env: {} }
    expect(await loadPhoto({ url: 'https://example.com/' }, options)).toEqual(new TextEncoder().encode('far'))
    expect(await loadPhoto({ data: 'AQID' }, options)).toEqual(new Uint8Array([1, 2, 3]))
  })
})

import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../src/http/request/json.ts'
import { MIN_EXTRACTED_BYTES } from '../../../src/http/request/json-bytes.ts'

describe('a body of JSON', () => {
  it.each<[string, unknown]>([
    ['{"photos":[{"data":"aGVsbG8="}]}', { photos: [{ data: 'aGVsbG8=' }] }],
    ['[1,"Σπίτι"]', [1, 'Σπίτι']],
    ['{"photos":', undefined],
  ])('is given back before it is parsed: %s', (text, value) => {
    const bytes = new TextEncoder().encode(text)
    expect(parseJson(bytes)).toEqual(value)
    expect(bytes.buffer.byteLength).toBe(0)
  })
})

/** Long enough that it is taken out of a body in any case. */
const LONG = 'QUJD'.repeat(MIN_EXTRACTED_BYTES / 4)
const LONG_BYTES = new Uint8Array(Buffer.from(LONG, 'base64'))

function parse(text: string): unknown {
  return parseJson(new TextEncoder().encode(text), { extractsBytes: true })
}

describe('long base64 in a body', () => {
  it.each<[string, string, Uint8Array]>([
    ['whole groups', LONG, LONG_BYTES],
    ['a group of two', `${LONG}QUI=`, new Uint8Array(Buffer.from(`${LONG}QUI=`, 'base64'))],
    ['a group of one', `${LONG}QQ==`, new Uint8Array(Buffer.from(`${LONG}QQ==`, 'base64'))],
    [
      'escaped slashes',
      'QJD\\/'.repeat(MIN_EXTRACTED_BYTES),
      new Uint8Array(Buffer.from('QJD/'.repeat(MIN_EXTRACTED_BYTES), 'base64')),
    ],
    [
      'nothing but escaped slashes',
      '\\/'.repeat(MIN_EXTRACTED_BYTES),
      new Uint8Array((MIN_EXTRACTED_BYTES / 4) * 3).fill(255),
    ],
    ['a data URI with an escaped slash', `data:image\\/JPEG;base64,${LONG}`, LONG_BYTES],
    ['a data URI', `data:image/JPEG;base64,${LONG}`, LONG_BYTES],
  ])('becomes bytes: %s', (_, text, bytes) => {
    expect(parse(`{"photos":[{"data":"${text}"}]}`)).toEqual({ photos: [{ data: bytes }] })
  })

  it('stays a text in bodies that bring no files', () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ data: LONG }))
    expect(parseJson(bytes)).toEqual({ data: LONG })
  })
})

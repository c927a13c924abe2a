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

function parse(text: string): unknown {
  return parseJson(new TextEncoder().encode(text), { extractsBytes: true })
}

describe('long base64 in a body', () => {
  it.each([
    ['whole groups', LONG],
    ['a group of two', `${LONG}QUI=`],
    ['a group of one', `${LONG}QQ==`],
    ['escaped slashes', 'QJD\\/'.repeat(MIN_EXTRACTED_BYTES)],
    ['nothing but escaped slashes', '\\/'.repeat(MIN_EXTRACTED_BYTES)],
    ['a data URI with an escaped slash', `data:image\\/JPEG;base64,${LONG}`],
    ['a data URI', `data:image/JPEG;base64,${LONG}`],
  ])('becomes bytes: %s', (_, text) => {
    const base64 = text.replaceAll('\\', '').replace(/^data:.*,/, '')
    const data = new Uint8Array(Buffer.from(base64, 'base64'))
    expect(parse(`{"photos":[{"data":"${text}"}]}`)).toEqual({ photos: [{ data }] })
  })

  it('stays a text in bodies that bring no files', () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ data: LONG }))
    expect(parseJson(bytes)).toEqual({ data: LONG })
  })
})

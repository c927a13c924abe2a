import { describe, expect, it } from 'vitest'
import { parseJson } from '../../src/http/json.ts'

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

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { truncateJson, truncateText } from '../../src/fields/cut.ts'
import { jsonBytes } from '../../src/fields/values.ts'

const anyText = fc.array(fc.constantFrom('a', '"', '\n', '\u0001', 'ω', '中', '🏠', '\ud800'), {
  maxLength: 40,
})
const most = fc.nat({ max: 60 })

/** Without the quotation marks. */
const bytesOf = (text: string) => jsonBytes(text) - 2

describe('cutText', () => {
  it('gives the first characters', () => {
    fc.assert(
      fc.property(anyText, most, (parts, max) => {
        const text = parts.join('')
        expect(truncateText(text, max)).toBe([...text].slice(0, max).join(''))
      }),
    )
  })
})

describe('cutJson', () => {
  it('gives the longest beginning that fits', () => {
    fc.assert(
      fc.property(anyText, most, (parts, max) => {
        const characters = [...parts.join('')]
        const cut = truncateJson(characters.join(''), max)
        const length = [...cut].length
        expect(cut).toBe(characters.slice(0, length).join(''))
        expect(bytesOf(cut)).toBeLessThanOrEqual(max)
        if (length < characters.length) {
          expect(bytesOf(characters.slice(0, length + 1).join(''))).toBeGreaterThan(max)
        }
      }),
    )
  })
})

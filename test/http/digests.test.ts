import { createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { rememberDigests } from '../../src/http/digests.ts'

it('remembered digests are those of their own texts, however many texts there are', () => {
  const digestOf = rememberDigests(2)
  for (const text of ['a', 'b', 'a', 'c', 'd', 'a', '']) {
    expect(digestOf(text)).toBe(createHash('sha256').update(text).digest('hex'))
  }
})

import { describe, expect, it } from 'vitest'
import { DAMAGED_JPEGS } from '../../corpus/damaged-jpegs.ts'
import { DAMAGED_OTHERS } from '../../corpus/damaged-others.ts'
import { DAMAGED_PNGS } from '../../corpus/damaged-pngs.ts'
import { HOSTILE } from '../../corpus/hostile.ts'
import { PhotoError } from '../../src/errors.ts'
import { processPhoto } from '../../src/process.ts'

/** Longest that a file may be worked on, in milliseconds; all but a few need less than a tenth of it. */
const PATIENCE = 5000

/** What became of a file, and how long it took in milliseconds. */
function attempt(file: Uint8Array) {
  const start = performance.now()
  const outcome = refusalOf(file)
  return { outcome, time: performance.now() - start }
}

/** What processing a file throws; null when it throws nothing. */
function refusalOf(file: Uint8Array): unknown {
  try {
    processPhoto(file, { maxSide: 1920, watermark: null })
    return null
  } catch (error) {
    return error
  }
}

describe('a damaged file', () => {
  it.each([...DAMAGED_JPEGS, ...DAMAGED_PNGS, ...DAMAGED_OTHERS])('is refused: $name', async ({ bytes }) => {
    const { outcome, time } = attempt(await bytes())
    expect(outcome).toBeInstanceOf(PhotoError)
    expect(time).toBeLessThan(PATIENCE)
  })
})

describe('a file of many little pieces', () => {
  it.each(HOSTILE)('is dealt with soon: $name', async ({ bytes }) => {
    const { outcome, time } = attempt(await bytes())
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(PhotoError)
    expect(time).toBeLessThan(PATIENCE)
  })
})

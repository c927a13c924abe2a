// @module-tag slow
import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { pressProfile, toYcc } from '../../corpus/forms.ts'
import { encodeProfile, mabElement, mft1Element, mft2Element } from '../../corpus/icc.ts'
import { asLab, asLegacyLab, asXyz, printed } from '../../corpus/icc-colours.ts'
import { encodeJpeg } from '../../corpus/jpeg-encoder.ts'
import { adobeSegment } from '../../corpus/jpegs.ts'
import { fromRaw } from '../../corpus/oracle.ts'
import { profileSegments } from '../../fixtures/containers.ts'
import { scene } from '../../fixtures/scene.ts'
import { processPhoto } from '../../src/process.ts'
import { patches, seen, shift } from './patches.ts'

const PLAIN = { maxSide: 1920, watermark: null }

/** Patches of all mixtures of 5 amounts of four inks, each a whole MCU, 25 × 25 of them. */
const LEVELS = [0, 55, 128, 200, 255]
const SIDE = 25 * 16

const chart = [0, 1, 2, 3].map((ink) =>
  Uint8Array.from({ length: SIDE * SIDE }, (_, at) => {
    const patch = Math.floor(Math.floor(at / SIDE) / 16) * 25 + Math.floor((at % SIDE) / 16)
    return LEVELS[Math.floor(patch / 5 ** ink) % 5] ?? 0
  }),
)
const negative = (plane: Uint8Array) => plane.map((value) => 255 - value)

/** The chart in the ways that four inks are stored. */
const FORMS = {
  'CMYK without a marker': (segments: Uint8Array[]) => encodeInks(chart.map(negative), segments),
  CMYK: (segments: Uint8Array[]) => encodeInks(chart.map(negative), [adobeSegment(0), ...segments]),
  YCCK: (segments: Uint8Array[]) => {
    const [cyan, magenta, yellow, black] = chart.map(negative)
    const none = new Uint8Array(0)
    // Luma and chroma of the inks, not of the light.
    const ycc = toYcc([negative(cyan ?? none), negative(magenta ?? none), negative(yellow ?? none)])
    return encodeInks([...ycc, black ?? none], [adobeSegment(2), ...segments])
  },
}

function encodeInks(planes: readonly Uint8Array[], before: Uint8Array[]): Uint8Array {
  return encodeJpeg(
    SIDE,
    SIDE,
    planes.map((samples) => ({ samples })),
    { quality: 98, before },
  )
}

const inks = (nodes: number, colourAt: (inks: readonly number[]) => number[]) => ({
  channels: 4,
  nodes,
  colourAt,
})
const lab = (inkAmounts: readonly number[]) => asLab(printed(inkAmounts))
const legacyLab = (inkAmounts: readonly number[]) => asLegacyLab(printed(inkAmounts))
const xyz = (inkAmounts: readonly number[]) => asXyz(printed(inkAmounts))

const press = (connection: 'XYZ ' | 'Lab ', version: number, element: Uint8Array) =>
  encodeProfile({ space: 'CMYK', connection, version, elements: [['A2B0', element]] })

const PRESSES: [string, () => Promise<Uint8Array> | Uint8Array][] = [
  ['the one of libvips', pressProfile],
  ['mft1, Lab', () => press('Lab ', 2, mft1Element(inks(9, lab)))],
  ['mft2, Lab', () => press('Lab ', 2, mft2Element(inks(9, legacyLab)))],
  ['mft2 with curves, Lab', () => press('Lab ', 2, mft2Element(inks(9, legacyLab), true))],
  ['mft2 of version 4, Lab', () => press('Lab ', 4, mft2Element(inks(9, legacyLab)))],
  ['mft2, XYZ', () => press('XYZ ', 2, mft2Element(inks(11, xyz)))],
  ['mft2 of 17 nodes', () => press('Lab ', 2, mft2Element(inks(17, legacyLab)))],
  ['mft2 of 2 nodes', () => press('Lab ', 2, mft2Element(inks(2, legacyLab)))],
  ['mft1 of 20 nodes', () => press('Lab ', 2, mft1Element(inks(20, lab)))],
  ['mAB, Lab', () => press('Lab ', 4, mabElement(inks(9, lab)))],
  ['mAB of 8 bits, Lab', () => press('Lab ', 4, mabElement(inks(9, lab), 1))],
  ['mAB, XYZ', () => press('XYZ ', 4, mabElement(inks(11, xyz)))],
]

describe('four inks with a profile', () => {
  const cases = PRESSES.flatMap(([kind, profile]) =>
    Object.entries(FORMS).map(([form, encode]) => ({ kind, profile, form, encode })),
  )

  it.each(cases)('look as they do to sharp: $form, $kind', async ({ profile, encode }) => {
    const file = encode(profileSegments(await profile()))
    const expected = patches(await seen(file))
    const { original } = processPhoto(file, PLAIN)
    expect((await sharp(original).metadata()).icc).toBeUndefined()
    expect(Math.max(...shift(patches(await seen(original)), expected))).toBeLessThan(1)
    // Without it they would not.
    const assumed = processPhoto(encode([]), PLAIN)
    expect(Math.max(...shift(patches(await seen(assumed.original)), expected))).toBeGreaterThan(2)
  })

  it.each([true, false])('look as they do to sharp in a photo, progressive: %s', async (progressive) => {
    const file = await fromRaw(scene(641, 479))
      .toColourspace('cmyk')
      .withIccProfile('cmyk')
      .jpeg({ quality: 92, progressive })
      .toBuffer()
    for (const maxSide of [1920, 400]) {
      const { original, width, height } = processPhoto(file, { ...PLAIN, maxSide })
      const theirs = sharp(file).resize(width, height, { fit: 'fill', fastShrinkOnLoad: false })
      const expected = await seen(await theirs.jpeg({ quality: 90 }).toBuffer())
      expect(Math.max(...shift(await seen(original), expected))).toBeLessThanOrEqual(3)
    }
  })

  it('are converted in a watermark, too', async () => {
    const photo = await fromRaw({ width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE * 3) })
      .jpeg()
      .toBuffer()
    const mark = FORMS.CMYK(profileSegments(await pressProfile()))
    const { watermarked } = processPhoto(photo, { maxSide: 1920, watermark: mark })
    const found = patches(await seen(watermarked ?? new Uint8Array(0)))
    expect(Math.max(...shift(found, patches(await seen(mark))))).toBeLessThanOrEqual(3)
  })
})

describe('four inks without a profile', () => {
  it.each(Object.entries(FORMS))('look as they do to sharp on average: %s', async (_, encode) => {
    const file = encode([])
    const found = patches(await seen(processPhoto(file, PLAIN).original))
    const expected = patches(await seen(file))
    expect(Math.max(...shift(found, expected))).toBeLessThan(4)
    // White paper stays white, whatever is fitted.
    expect(found.slice(0, 3)).toEqual([255, 255, 255])
  })

  it('look as they do to sharp in a photo', async () => {
    const file = await fromRaw(scene(641, 479)).toColourspace('cmyk').jpeg({ quality: 92 }).toBuffer()
    const { original } = processPhoto(file, PLAIN)
    const expected = await seen(await sharp(file).jpeg({ quality: 90 }).toBuffer())
    expect(Math.max(...shift(await seen(original), expected))).toBeLessThan(5)
  })
})

import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { processPhoto } from '../../src/photos/process.ts'
import { profileSegments as appTwos } from '../../src/photos/profile.ts'
import { concat, text } from '../photos/bytes.ts'
import { profileSegments } from '../photos/containers.ts'
import { toYcc } from '../photos/corpus/forms.ts'
import {
  curveElement,
  encodeProfile,
  formulaElement,
  gammaElement,
  localisedElement,
  mabElement,
  matrixElements,
  mft1Element,
  mft2Element,
  nameElement,
  type ProfileParts,
} from '../photos/corpus/icc.ts'
import { asLab, asLegacyLab, asXyz, printed, shown } from '../photos/corpus/icc-colours.ts'
import { encodeJpeg } from '../photos/corpus/jpeg-encoder.ts'
import { adobeSegment } from '../photos/corpus/jpegs.ts'
import { fromRaw } from '../photos/corpus/oracle.ts'
import { scene } from '../photos/corpus/scene.ts'

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
const FORMS: Record<string, (segments: Uint8Array[]) => Uint8Array> = {
  'CMYK without a marker': (segments) => encodeInks(chart.map(negative), segments),
  CMYK: (segments) => encodeInks(chart.map(negative), [adobeSegment(0), ...segments]),
  YCCK: (segments) => {
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

/** The profile that libvips brings along: a real press, 961 KB, a table of 16 bits. */
async function pressProfile(): Promise<Uint8Array> {
  const { icc } = await sharp(
    await fromRaw(scene(8, 8)).toColourspace('cmyk').withIccProfile('cmyk').jpeg().toBuffer(),
  ).metadata()
  if (!icc) throw new Error('No profile')
  return icc
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

/** The middle of each patch, averaged. */
function patches(data: Uint8Array, across = 25): number[] {
  const out: number[] = []
  for (let patch = 0; patch < across ** 2; patch++) {
    const [left, top] = [(patch % across) * 16, Math.floor(patch / across) * 16]
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0
      for (let y = 4; y < 12; y++) {
        for (let x = 4; x < 12; x++) sum += data[((top + y) * across * 16 + left + x) * 3 + channel] ?? 0
      }
      out.push(sum / 64)
    }
  }
  return out
}

/** Mean absolute differences of red, green and blue. */
function shift(found: ArrayLike<number>, expected: ArrayLike<number>): number[] {
  const sums = [0, 0, 0]
  for (let i = 0; i < found.length; i++) {
    sums[i % 3] = (sums[i % 3] ?? 0) + Math.abs((found[i] ?? 0) - (expected[i] ?? 0))
  }
  return sums.map((sum) => (sum * 3) / found.length)
}

/** Pixels in sRGB. */
function seen(file: Uint8Array): Promise<Buffer> {
  return sharp(file).toColourspace('srgb').raw().toBuffer()
}

describe('four inks with a profile', () => {
  const cases = PRESSES.flatMap(([kind, profile]) =>
    Object.keys(FORMS).map((form) => ({ kind, profile, form })),
  )

  it.each(cases)('look as they do to sharp: $form, $kind', async ({ profile, form }) => {
    const file = FORMS[form]?.(profileSegments(await profile())) ?? new Uint8Array(0)
    const expected = patches(await seen(file))
    const { original } = await processPhoto(file, PLAIN)
    expect((await sharp(original).metadata()).icc).toBeUndefined()
    expect(Math.max(...shift(patches(await seen(original)), expected))).toBeLessThanOrEqual(3)
    // Without it they would not.
    const plain = await processPhoto(FORMS[form]?.([]) ?? new Uint8Array(0), PLAIN)
    expect(Math.max(...shift(patches(await seen(plain.original)), expected))).toBeGreaterThan(8)
  })

  it.each([true, false])('look as they do to sharp in a photo, progressive: %s', async (progressive) => {
    const file = await fromRaw(scene(641, 479))
      .toColourspace('cmyk')
      .withIccProfile('cmyk')
      .jpeg({ quality: 92, progressive })
      .toBuffer()
    for (const maxSide of [1920, 400]) {
      const { original, width, height } = await processPhoto(file, { ...PLAIN, maxSide })
      const theirs = sharp(file).resize(width, height, { fit: 'fill', fastShrinkOnLoad: false })
      const expected = await seen(await theirs.jpeg({ quality: 90 }).toBuffer())
      expect(Math.max(...shift(await seen(original), expected))).toBeLessThanOrEqual(3)
    }
  })

  it('are converted in a watermark, too', async () => {
    const photo = await fromRaw({ width: SIDE, height: SIDE, data: new Uint8Array(SIDE * SIDE * 3) })
      .jpeg()
      .toBuffer()
    const mark = FORMS.CMYK?.(profileSegments(await pressProfile())) ?? new Uint8Array(0)
    const { watermarked } = await processPhoto(photo, { maxSide: 1920, watermark: mark })
    const found = patches(await seen(watermarked ?? new Uint8Array(0)))
    expect(Math.max(...shift(found, patches(await seen(mark))))).toBeLessThanOrEqual(3)
  })
})

/** Everything that must not be seen in a stored photo. */
const NAMES = /Jane|Doe|Acme|SN-4711|MAKR|MODL|CRTR|MKCM|identity/

/** Elements that name somebody, in both ways that texts are written. */
const NAMING: [string, Uint8Array][] = [
  ['desc', nameElement('Monitor of Jane Doe')],
  ['cprt', concat(Buffer.from('text\0\0\0\0(c) Jane Doe\0'))],
  ['dmnd', localisedElement('Acme')],
  ['dmdd', nameElement('Acme SN-4711')],
  ['vued', nameElement('The study of Jane Doe')],
  ['vcgt', concat(Buffer.from('vcgt\0\0\0\0Jane Doe'))],
  ['OWNR', concat(Buffer.from('text\0\0\0\0Jane Doe\0'))],
  ['meta', concat(Buffer.from('dict\0\0\0\0SN-4711\0'))],
]

const screen = (parts: Partial<ProfileParts> & Pick<ProfileParts, 'elements'>) =>
  encodeProfile({ space: 'RGB ', ...parts, elements: [...NAMING, ...parts.elements] })

const rgb = (nodes: number, colourAt: (rgb: readonly number[]) => number[]) => ({
  channels: 3,
  nodes,
  colourAt,
})

const SCREENS: [string, () => Uint8Array][] = [
  ['matrix and gamma', () => screen({ elements: matrixElements() })],
  ['matrix and samples', () => screen({ elements: matrixElements(curveElement(4096, (v) => v ** 1.5)) })],
  [
    'matrix and formulas',
    () =>
      screen({
        version: 4,
        elements: matrixElements(formulaElement(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04)),
      }),
  ],
  [
    'text behind the end of elements',
    () => screen({ elements: matrixElements(concat(gammaElement(1.8), Buffer.from('\0\0Jane Doe'))) }),
  ],
  [
    'mft1, Lab',
    () => screen({ connection: 'Lab ', elements: [['A2B0', mft1Element(rgb(17, (v) => asLab(shown(v))))]] }),
  ],
  [
    'mft2 of 2 MB, Lab',
    () =>
      screen({
        connection: 'Lab ',
        deviceClass: 'scnr',
        elements: [['A2B0', mft2Element(rgb(68, (v) => asLegacyLab(shown(v))))]],
      }),
  ],
  [
    'mAB, XYZ',
    () => screen({ version: 4, elements: [['A2B0', mabElement(rgb(33, (v) => asXyz(shown(v))))]] }),
  ],
]

describe('a profile for RGB', () => {
  it.each(SCREENS)('gives the same colours and names nobody: %s', async (_, make) => {
    const profile = make()
    const photo = await fromRaw(scene(96, 64)).jpeg({ quality: 95 }).toBuffer()
    const file = concat(photo.subarray(0, 2), ...profileSegments(profile), photo.subarray(2))
    expect(text(profile)).toMatch(NAMES)
    const mark = await sharp({ create: { width: 9, height: 5, channels: 3, background: '#c33' } })
      .png()
      .toBuffer()
    const { original, watermarked } = await processPhoto(file, { maxSide: 1920, watermark: mark })
    for (const copy of [original, watermarked ?? new Uint8Array(0)]) {
      const { icc } = await sharp(copy).metadata()
      expect(icc?.length).toBeGreaterThan(200)
      expect(text(icc ?? new Uint8Array(0)).replaceAll('\0', '')).not.toMatch(NAMES)
      // The same pixels as with the profile as it came.
      const own = withoutProfile(copy)
      const asItCame = concat(own.subarray(0, 2), appTwos(profile), own.subarray(2))
      const [kept, came, none] = await Promise.all([copy, asItCame, own].map(seen))
      expect(kept?.equals(came ?? Buffer.alloc(0))).toBe(true)
      expect(kept?.equals(none ?? Buffer.alloc(0))).toBe(false)
    }
  })
})

describe('a profile for grey', () => {
  const tones: [string, ProfileParts][] = [
    ['gamma 1.8', { space: 'GRAY', elements: [...NAMING, ['kTRC', gammaElement(1.8)]] }],
    [
      'dot gain',
      {
        space: 'GRAY',
        deviceClass: 'prtr',
        elements: [...NAMING, ['kTRC', curveElement(64, (v) => v ** 1.5)]],
      },
    ],
    ['a formula', { space: 'GRAY', version: 4, elements: [...NAMING, ['kTRC', formulaElement(0, 1.4)]] }],
    [
      'lightness',
      { space: 'GRAY', connection: 'Lab ', elements: [...NAMING, ['kTRC', curveElement(2, (v) => v)]] },
    ],
  ]

  it.each(tones)('gives the same tones: %s', async (_, parts) => {
    // A patch for each of 256 levels.
    const samples = Uint8Array.from({ length: 256 * 256 }, (_, at) => (at >> 12) * 16 + ((at & 255) >> 4))
    const before = profileSegments(encodeProfile(parts))
    const file = encodeJpeg(256, 256, [{ samples }], { quality: 98, before })
    const { original } = await processPhoto(file, PLAIN)
    const pictures = [file, original, withoutProfile(original)]
    const [expected = [], found = [], none = []] = await Promise.all(
      pictures.map(async (picture) => patches(await asRgb(picture), 16)),
    )
    expect(Math.max(...shift(found, expected))).toBeLessThan(1)
    expect(Math.max(...shift(none, expected))).toBeGreaterThan(4)
    const { icc } = await sharp(original).metadata()
    expect(text(icc ?? new Uint8Array(0)).replaceAll('\0', '')).not.toMatch(NAMES)
  })
})

/** Pixels in sRGB, three channels of a grey picture, too. */
async function asRgb(file: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(file).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return info.channels === 3
    ? data
    : Uint8Array.from({ length: data.length * 3 }, (_, i) => data[Math.floor(i / 3)] ?? 0)
}

/** A stored photo without its APP2 segments, which stand behind the JFIF header. */
function withoutProfile(file: Uint8Array): Uint8Array {
  let at = 20
  while (file[at + 1] === 0xe2) at += 2 + (file[at + 2] ?? 0) * 256 + (file[at + 3] ?? 0)
  return concat(file.subarray(0, 20), file.subarray(at))
}

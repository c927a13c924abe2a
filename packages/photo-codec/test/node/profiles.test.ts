import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
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
} from '../../corpus/icc.ts'
import { asLab, asLegacyLab, asXyz, shown } from '../../corpus/icc-colours.ts'
import { encodeJpeg } from '../../corpus/jpeg-encoder.ts'
import { fromRaw } from '../../corpus/oracle.ts'
import { concat, text } from '../../fixtures/bytes.ts'
import { profileSegments } from '../../fixtures/containers.ts'
import { scene } from '../../fixtures/scene.ts'
import { processPhoto } from '../../src/process.ts'
import { profileSegments as appTwos } from '../../src/profile.ts'
import { patches, seen, shift } from './patches.ts'

const PLAIN = { maxSide: 1920, watermark: null }

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
    const { original, watermarked } = processPhoto(file, { maxSide: 1920, watermark: mark })
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
    const { original } = processPhoto(file, PLAIN)
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

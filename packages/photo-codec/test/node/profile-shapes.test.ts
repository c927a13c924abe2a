import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import {
  ADOBE_MATRIX,
  curveElement,
  encodeProfile,
  formulaElement,
  gammaElement,
  mabElement,
  matrixElements,
  mft1Element,
  mft2Element,
  type ProfileParts,
  stagesElement,
  xyzElement,
} from '../../corpus/icc.ts'
import { asLab, asLegacyLab, asXyz, shown } from '../../corpus/icc-colours.ts'
import { encodeJpeg } from '../../corpus/jpeg-encoder.ts'
import { fromRaw } from '../../corpus/oracle.ts'
import { bytesOf, concat, uint32 } from '../../fixtures/bytes.ts'
import { profileSegments } from '../../fixtures/containers.ts'
import { processPhoto } from '../../src/process.ts'
import { patches, seen, shift } from './patches.ts'

const PLAIN = { maxSide: 1920, watermark: null }
const SIDE = 25 * 16

/** Patches of all mixtures of 5 levels of red, green and blue. */
const LEVELS = [0, 55, 128, 200, 255]
const chart = Uint8Array.from({ length: SIDE * SIDE * 3 }, (_, i) => {
  const at = Math.floor(i / 3)
  const patch = Math.floor(Math.floor(at / SIDE) / 16) * 25 + Math.floor((at % SIDE) / 16)
  return LEVELS[Math.floor(patch / 5 ** (i % 3)) % 5] ?? 0
})

async function withProfile(data: Uint8Array, profile: Uint8Array): Promise<Uint8Array> {
  const file = await fromRaw({ width: SIDE, height: SIDE, data })
    .jpeg({ quality: 98, chromaSubsampling: '4:4:4' })
    .toBuffer()
  return concat(file.subarray(0, 2), ...profileSegments(profile), file.subarray(2))
}

const matrix = (parts: Partial<ProfileParts> = {}, curve = gammaElement(2.2)) =>
  encodeProfile({ space: 'RGB ', elements: matrixElements(curve), ...parts })
const table = (element: Uint8Array, parts: Partial<ProfileParts> = {}) =>
  encodeProfile({ space: 'RGB ', elements: [['A2B0', element]], ...parts })
const nodes = (colourAt: (rgb: readonly number[]) => number[]) => ({ channels: 3, nodes: 17, colourAt })
const lab = nodes((rgb) => asLab(shown(rgb)))
const legacyLab = nodes((rgb) => asLegacyLab(shown(rgb)))
const xyz = nodes((rgb) => asXyz(shown(rgb)))
const linear = nodes((rgb) => asXyz(shown(rgb.map((value) => value ** (1 / 1.8)))))
const straight = formulaElement(0, 1)
const changed = (profile: Uint8Array, at: number, ...bytes: number[]) => {
  const copy = profile.slice()
  copy.set(bytes, at)
  return copy
}
const sized = (difference: number) => {
  const { length } = matrix()
  return changed(matrix(), 0, 0, 0, (length + difference) >> 8, (length + difference) & 255)
}
const srgb = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045] as const
const adapted = matrixElements().map(([name, element]): [string, Uint8Array] =>
  name === 'wtpt' ? [name, xyzElement(0.9505, 1, 1.0891)] : [name, element],
)

/** What has to be done with it: sharp passes over those that are left out. */
type Fate = 'kept' | 'converted' | 'left out'

const SHAPES: [shape: string, fate: Fate, profile: Uint8Array][] = [
  ['version 0', 'kept', matrix({ version: 0 })],
  ['version 0, no class', 'kept', changed(matrix({ version: 0 }), 12, 0, 0, 0, 0)],
  ['version 0 with a table', 'kept', table(mft2Element(legacyLab), { version: 0, connection: 'Lab ' })],
  ['version 1', 'kept', matrix({ version: 1 })],
  ['version 2', 'kept', matrix()],
  ['version 4', 'kept', matrix({ version: 4 })],
  ['version 5', 'kept', changed(matrix(), 8, 5, 0)],
  ['version 5.1', 'left out', changed(matrix(), 8, 5, 0x10)],
  ['class of scanners', 'kept', matrix({ deviceClass: 'scnr' })],
  ['class of printers', 'kept', matrix({ deviceClass: 'prtr' })],
  ['class of spaces', 'kept', matrix({ deviceClass: 'spac' })],
  ['class of links', 'left out', matrix({ deviceClass: 'link' })],
  ['class of abstract profiles', 'left out', matrix({ deviceClass: 'abst' })],
  ['class of named colours', 'left out', matrix({ deviceClass: 'nmcl' })],
  ['matrix to Lab', 'kept', matrix({ connection: 'Lab ' })],
  ['white of the screen', 'kept', matrix({ elements: adapted })],
  ['no white', 'kept', matrix({ elements: matrixElements().slice(1) })],
  [
    'curve of 64 samples',
    'kept',
    matrix(
      {},
      curveElement(64, (value) => value ** 1.8),
    ),
  ],
  [
    'curve of 32,767 samples',
    'kept',
    matrix(
      {},
      curveElement(32_767, (value) => value ** 1.8),
    ),
  ],
  [
    'curve of 32,768 samples',
    'left out',
    matrix(
      {},
      curveElement(32_768, (value) => value ** 1.8),
    ),
  ],
  ['formula 0', 'kept', matrix({ version: 4 }, formulaElement(0, 1.8))],
  ['formula 1', 'kept', matrix({ version: 4 }, formulaElement(1, 1.8, 0.9, 0.1))],
  ['formula 2', 'kept', matrix({ version: 4 }, formulaElement(2, 1.8, 0.8, 0.1, 0.1))],
  ['formula 3', 'kept', matrix({ version: 4 }, formulaElement(3, ...srgb))],
  ['formula 4', 'kept', matrix({ version: 4 }, formulaElement(4, ...srgb, 0.01, 0.02))],
  ['formula in version 2', 'kept', matrix({}, formulaElement(0, 1.8))],
  ['formula that is infinite', 'kept', matrix({}, formulaElement(0, -1))],
  ['size too large', 'kept', sized(100)],
  ['size too small', 'left out', sized(-100)],
  ['size of 0', 'left out', changed(matrix(), 0, 0, 0, 0, 0)],
  ['bytes behind the end', 'kept', concat(matrix(), new Uint8Array(50))],
  ['mft1 to Lab', 'kept', table(mft1Element(lab), { connection: 'Lab ' })],
  ['mft1 to XYZ', 'kept', table(mft1Element(xyz))],
  ['mft2 to Lab', 'kept', table(mft2Element(legacyLab), { connection: 'Lab ' })],
  ['mft2 to Lab, version 4', 'kept', table(mft2Element(legacyLab), { connection: 'Lab ', version: 4 })],
  ['mft2 to XYZ', 'kept', table(mft2Element(xyz))],
  ['mAB with a grid, to Lab', 'kept', table(mabElement(lab), { connection: 'Lab ', version: 4 })],
  ['mAB with a grid, version 2', 'kept', table(mabElement(xyz))],
  ['linear light', 'converted', matrix({}, gammaElement(1))],
  ['linear light by no samples', 'converted', matrix({}, concat(bytesOf('curv\0\0\0\0'), uint32(0)))],
  [
    'linear light by two samples',
    'converted',
    matrix(
      {},
      curveElement(2, (value) => value),
    ),
  ],
  ['linear light by a formula', 'converted', matrix({ version: 4 }, straight)],
  ['gamma 1.2', 'converted', matrix({}, gammaElement(1.2))],
  ['gamma 1.4', 'kept', matrix({}, gammaElement(1.4))],
  ['mft2 from linear light', 'converted', table(mft2Element(linear))],
  [
    'mAB from linear light',
    'converted',
    table(stagesElement({ middle: straight, matrix: ADOBE_MATRIX, last: straight }), { version: 4 }),
  ],
  [
    'mAB of curves, matrix, curves',
    'kept',
    table(stagesElement({ middle: gammaElement(1.8), matrix: ADOBE_MATRIX, last: straight }), { version: 4 }),
  ],
  ['mAB of curves alone', 'kept', table(stagesElement({ last: gammaElement(1.8) }), { version: 4 })],
  [
    'mAB of all but a grid',
    'kept',
    table(
      stagesElement({
        first: gammaElement(1.25),
        middle: gammaElement(1.5),
        matrix: ADOBE_MATRIX,
        last: straight,
      }),
      { version: 4 },
    ),
  ],
]

describe('a profile for RGB of any shape', () => {
  it.each(SHAPES)('looks as it does to sharp: %s', async (_, fate, profile) => {
    const file = await withProfile(chart, profile)
    const [expected, plain] = await Promise.all(
      [file, await withProfile(chart, new Uint8Array(0))].map(async (picture) =>
        patches(await seen(picture)),
      ),
    )
    expect(Math.max(...shift(expected ?? [], plain ?? [])) > 3).toBe(fate !== 'left out')
    const { original } = processPhoto(file, PLAIN)
    expect((await sharp(original).metadata()).icc !== undefined).toBe(fate === 'kept')
    expect(Math.max(...shift(patches(await seen(original)), expected ?? []))).toBeLessThan(1)
  })
})

describe('a profile for RGB in a grey JPEG', () => {
  // sharp passes over it. Browsers read the samples as red, green and blue at once, as in this picture of three channels.
  const greys = Uint8Array.from({ length: SIDE * SIDE }, (_, at) => {
    const patch = Math.floor(Math.floor(at / SIDE) / 16) * 25 + Math.floor((at % SIDE) / 16)
    return Math.round((patch / 624) * 255)
  })
  const shapes: [string, boolean, Uint8Array][] = [
    ['matrix', true, matrix({}, gammaElement(1.5))],
    ['mAB', true, table(mabElement(xyz), { version: 4 })],
    ['linear light', false, matrix({}, gammaElement(1))],
  ]

  it.each(shapes)('gives the greys of the profile: %s', async (_, isKept, profile) => {
    const file = encodeJpeg(SIDE, SIDE, [{ samples: greys }], {
      quality: 98,
      before: profileSegments(profile),
    })
    const three = Uint8Array.from({ length: greys.length * 3 }, (_, i) => greys[Math.floor(i / 3)] ?? 0)
    const expected = patches(await seen(await withProfile(three, profile)))
    const { original } = processPhoto(file, PLAIN)
    expect((await sharp(original).metadata()).icc !== undefined).toBe(isKept)
    expect(Math.max(...shift(patches(await seen(original)), expected))).toBeLessThan(1)
  })
})

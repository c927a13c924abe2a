import sharp from 'sharp'
import { describe, expect, it } from 'vitest'
import { concat, text } from '../../fixtures/bytes.ts'
import { profileSegments } from '../../fixtures/containers.ts'
import { append, drop, dropSegment, type Edit, edit, set } from '../../fixtures/edits.ts'
import { fromRaw } from '../../fixtures/looks.ts'
import { sample, samplesOf } from '../../fixtures/samples.ts'
import { processPhoto } from '../../src/process.ts'
import { profileSegments as appTwos } from '../../src/profile.ts'
import { resizePhoto } from '../../src/resize.ts'
import { PLAIN } from '../rendering.ts'

/** Charts have patches of 16 × 16 pixels, a whole MCU, so many of them across and down. */
const [SIDE, ACROSS, INKS_ACROSS] = [16, 12, 16]

/** Red, green and blue of each patch, averaged over its middle. */
function patches(data: Uint8Array, across = ACROSS): number[] {
  const out: number[] = []
  for (let patch = 0; patch < across ** 2; patch++) {
    const [left, top] = [(patch % across) * SIDE, Math.floor(patch / across) * SIDE]
    for (let channel = 0; channel < 3; channel++) {
      let sum = 0
      for (let y = 4; y < 12; y++)
        for (let x = 4; x < 12; x++) sum += data[((top + y) * across * SIDE + left + x) * 3 + channel] ?? 0
      out.push(sum / 64)
    }
  }
  return out
}

/** The mean difference of the channel that differs most. */
function shift(found: ArrayLike<number>, expected: ArrayLike<number>): number {
  const sums = [0, 0, 0]
  for (let i = 0; i < found.length; i++)
    sums[i % 3] = (sums[i % 3] ?? 0) + Math.abs((found[i] ?? 0) - (expected[i] ?? 0))
  return (Math.max(...sums) * 3) / found.length
}

/** Pixels in sRGB, three channels of a grey picture, too. */
async function seen(file: Uint8Array): Promise<Uint8Array> {
  const { data, info } = await sharp(file).toColourspace('srgb').raw().toBuffer({ resolveWithObject: true })
  return info.channels === 3
    ? data
    : Uint8Array.from({ length: data.length * 3 }, (_, i) => data[Math.floor(i / 3)] ?? 0)
}

/** A sample for each patch and channel: all mixtures of five levels, or as many greys as there are patches. */
const levelAt = (patch: number, channel: number) =>
  [0, 55, 128, 200, 255][Math.floor(patch / 5 ** channel) % 5] ?? 0
const greyAt = (patch: number) => Math.round((patch / (ACROSS ** 2 - 1)) * 255)

const chartOf = (valueAt: (patch: number, channel: number) => number) =>
  Uint8Array.from({ length: (ACROSS * SIDE) ** 2 * 3 }, (_, i) => {
    const [x, y] = [Math.floor(i / 3) % (ACROSS * SIDE), Math.floor(Math.floor(i / 3) / (ACROSS * SIDE))]
    return valueAt(Math.floor(y / SIDE) * ACROSS + Math.floor(x / SIDE), i % 3)
  })
const written = (data: Uint8Array, isGrey = false) =>
  fromRaw({ width: ACROSS * SIDE, height: ACROSS * SIDE, data })
    .toColourspace(isGrey ? 'b-w' : 'srgb')
    .jpeg({ quality: 98, chromaSubsampling: '4:4:4' })
    .toBuffer()
const [COLOURS, GREYS, GREY] = await Promise.all([
  written(chartOf(levelAt)),
  written(chartOf(greyAt)),
  written(chartOf(greyAt), true),
])

const behindStart = (jpeg: Uint8Array, profile: Uint8Array) =>
  concat(jpeg.subarray(0, 2), ...profileSegments(profile), jpeg.subarray(2))
const iccOf = async (file: Uint8Array) => (await sharp(file).metadata()).icc

/** What has to be done with a profile: sharp passes over those that are left out. */
type Fate = 'kept' | 'left out'
type Case = [name: string, fate: Fate, file: string, ...edits: Edit[]]

const nothing: Edit = (file) => file
const MATRIX = 'profiles/matrix.icc'
/** Where the tags of the matrix profile begin, and how long each is: white, primaries, curves. */
const [TAGS, TAG] = [132, 12]
const connected = (space: string) => set(20, 0, ...Buffer.from(space))
const classed = (name: string) => set(12, 0, ...Buffer.from(name))

const SHAPES: Case[] = [
  ...samplesOf('profiles')
    .filter(({ name }) => !/inks|grey|whose/.test(name))
    .map(({ name }): Case => [name, 'kept', name, nothing]),
  ...[0, 1, 4, 5].map(
    (version): Case => [`version ${version}`, 'kept', MATRIX, set(8, 0, version, version === 5 ? 0 : 16)],
  ),
  ['version 0, no class', 'kept', MATRIX, set(8, 0, 0), set(12, 0, 0, 0, 0, 0)],
  ['version 0 with a table', 'kept', 'profiles/mft2-to-Lab.icc', set(8, 0, 0)],
  ['a table of version 4', 'kept', 'profiles/mft2-to-Lab.icc', set(8, 0, 4)],
  ['a grid of version 2', 'kept', 'profiles/mAB-with-a-grid-to-Lab.icc', set(8, 0, 2)],
  ['a formula in version 2', 'kept', 'profiles/formula-0.icc', set(8, 0, 2)],
  ['version 5.1', 'left out', MATRIX, set(8, 0, 5, 0x10)],
  ...['scnr', 'prtr', 'spac'].map((name): Case => [`class ${name}`, 'kept', MATRIX, classed(name)]),
  ...['link', 'abst', 'nmcl'].map((name): Case => [`class ${name}`, 'left out', MATRIX, classed(name)]),
  ['a matrix to Lab', 'kept', MATRIX, connected('Lab ')],
  ['a matrix to Luv', 'left out', MATRIX, connected('Luv ')],
  ['of grey', 'left out', MATRIX, set(16, 0, ...Buffer.from('GRAY'))],
  ['of inks', 'left out', MATRIX, set(16, 0, ...Buffer.from('CMYK'))],
  ['no signature', 'left out', MATRIX, set(36, 0, 65)],
  ['a size that is too large', 'kept', MATRIX, set(2, 0, 2)],
  ['a size that is too small', 'left out', MATRIX, set(2, 0, 0)],
  ['cut in its header', 'left out', MATRIX, drop(100)],
  ['cut in its tags', 'left out', MATRIX, drop(150)],
  ['cut in its last curve', 'left out', MATRIX, drop(-4)],
  ['tags far away', 'left out', MATRIX, set(TAGS + 4, 0, ...new Uint8Array(TAG * 7).fill(0xff))],
  ['no primary', 'left out', MATRIX, set(TAGS + 2 * TAG, 0, 120)],
  ['no curve', 'left out', MATRIX, set(TAGS + 6 * TAG, 0, 120)],
  ['bytes behind the end', 'kept', MATRIX, append(new Uint8Array(50))],
  ['a table for other samples', 'left out', 'profiles/whose-table-is-for-other-samples.icc', nothing],
]

describe('a profile for RGB of any shape', () => {
  it.each(SHAPES)('looks as it does to sharp: %s', async (_, fate, name, ...edits) => {
    const file = behindStart(COLOURS, edit(name, ...edits))
    const [expected, plain] = [patches(await seen(file)), patches(await seen(COLOURS))]
    expect(shift(expected, plain) > 3).toBe(fate !== 'left out')
    const { original } = processPhoto(file, PLAIN)
    expect((await iccOf(original)) !== undefined).toBe(fate === 'kept')
    expect(shift(patches(await seen(original)), expected)).toBeLessThan(1)
  })

  // sharp passes over it. Browsers read the samples as red, green and blue at once, as in this picture of three channels.
  it.each([MATRIX, 'profiles/mAB-with-a-grid-to-Lab.icc'])(
    'gives its greys to a grey JPEG: %s',
    async (name) => {
      const { original } = processPhoto(behindStart(GREY, sample(name)), PLAIN)
      expect(await iccOf(original)).toBeDefined()
      expect(
        shift(patches(await seen(original)), patches(await seen(behindStart(GREYS, sample(name))))),
      ).toBeLessThan(1)
    },
  )
})

describe('a profile for grey', () => {
  it.each(samplesOf('profiles').filter(({ name }) => /grey/.test(name)))(
    'gives the same tones: $name',
    async ({ bytes }) => {
      const file = behindStart(GREY, bytes)
      const { original } = processPhoto(file, PLAIN)
      expect(shift(patches(await seen(original)), patches(await seen(file)))).toBeLessThan(1)
      expect(await iccOf(original)).toBeDefined()
    },
  )
})

describe('a profile with names', () => {
  /** Everything that must not be seen in a stored photo. */
  const NAMES = /Jane|Doe|Acme|SN-4711|MAKR|MODL|CRTR|MKCM|identity/
  /** A stored photo without its APP2 segments, which stand behind the JFIF header. */
  const withoutProfile = (file: Uint8Array) => {
    let at = 20
    while (file[at + 1] === 0xe2) at += 2 + (file[at + 2] ?? 0) * 256 + (file[at + 3] ?? 0)
    return concat(file.subarray(0, 20), file.subarray(at))
  }

  it.each(samplesOf('profiles').filter(({ name }) => /named|grey-(gamma|dot)/.test(name)))(
    'gives the same colours and names nobody: $name',
    async ({ name, bytes }) => {
      expect(text(bytes)).toMatch(NAMES)
      const file = behindStart(name.includes('grey') ? GREY : COLOURS, bytes)
      const { original, watermarked } = processPhoto(file, {
        maxSide: 1920,
        watermark: sample('png/rgba-8-adam7.png'),
      })
      const { bytes: small } = await resizePhoto(file, { width: 40, format: 'webp' })
      for (const copy of [original, watermarked ?? original, small])
        expect(text((await iccOf(copy)) ?? new Uint8Array(0)).replaceAll('\0', '')).not.toMatch(NAMES)
      if (name.includes('grey')) return
      // The same pixels as with the profile as it came.
      const own = withoutProfile(original)
      const asItCame = concat(own.subarray(0, 2), appTwos(bytes), own.subarray(2))
      const [kept, came, none] = await Promise.all([original, asItCame, own].map(seen))
      expect(kept).toEqual(came)
      expect(kept).not.toEqual(none)
    },
  )
})

describe('four inks', () => {
  const CHARTS = [
    ...samplesOf('inks'),
    { name: 'CMYK without a marker', bytes: edit('inks/CMYK.jpg', dropSegment('\xff\xee')) },
  ]
  const look = async (file: Uint8Array) => patches(await seen(file), INKS_ACROSS)
  const stored = (file: Uint8Array) => processPhoto(file, PLAIN).original
  const cases = samplesOf('profiles')
    .filter(({ name }) => /inks/.test(name))
    .flatMap((profile) => CHARTS.map(({ name, bytes }) => ({ profile, name, bytes })))

  it.each(cases)('look as they do to sharp: $name, $profile.name', async ({ bytes, profile }) => {
    const file = behindStart(bytes, profile.bytes)
    const expected = await look(file)
    expect(await iccOf(stored(file))).toBeUndefined()
    expect(shift(await look(stored(file)), expected)).toBeLessThan(1)
    // Without it they would not.
    expect(shift(await look(stored(bytes)), expected)).toBeGreaterThan(2)
  })

  it.each(CHARTS)('look as they do to sharp on average without a profile: $name', async ({ bytes }) => {
    const found = await look(stored(bytes))
    expect(shift(found, await look(bytes))).toBeLessThan(4)
    // White paper stays white, whatever is fitted.
    expect(found.slice(0, 3)).toEqual([255, 255, 255])
  })

  const MFT1 = 'profiles/inks-mft1-Lab.icc'
  const MFT2 = 'profiles/inks-mft2-with-curves-Lab.icc'
  const MAB = 'profiles/inks-mAB-XYZ.icc'
  const far = [0, 0xff, 0xff, 0xff]
  const useless: [name: string, file: string, ...edits: Edit[]][] = [
    ['of colours', MATRIX, nothing],
    ['to four colours', MFT2, set('mft2', 9, 4)],
    ['without a table', MFT2, set(TAGS + 3, 0, 49)],
    ['no nodes', MFT1, set('mft1', 10, 0)],
    ['more nodes than there are', MFT2, set('mft2', 10, 9)],
    ['255 nodes', MFT1, set('mft1', 10, 255)],
    ['too many samples in a curve', MFT2, set('mft2', 48, 0xff, 0xff)],
    ['cut by four bytes', MFT2, drop(-4)],
    ['last curves far away', MAB, set('mAB ', 12, ...far)],
    ['no last curves', MAB, set('mAB ', 12, 0, 0, 0, 0)],
    ['nodes far away', MAB, set('mAB ', 24, ...far)],
    ['no nodes at all', MAB, set('mAB ', 24, 0, 0, 0, 0)],
    ['first curves far away', MAB, set('mAB ', 28, ...far)],
    ['a formula of an unknown kind', MAB, set('mAB ', 32 + 8, 0, 9)],
    ['samples of three bytes', MAB, set('\x05\x05\x05\x05\0\0\0\0', 16, 3)],
    ['curves of a billion samples', MAB, set('curv', 8, 0x40, 0, 0, 0)],
  ]
  it.each(useless)('pass over a profile of no use: %s', (_, name, ...edits) => {
    const [chart] = CHARTS
    if (!chart) throw new Error('No chart')
    expect(stored(behindStart(chart.bytes, edit(name, ...edits)))).toEqual(stored(chart.bytes))
  })
})

import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { bytesOf, concat, text, uint32 } from '../fixtures/bytes.ts'
import { pngChunk, profileOf, profileSegments, riff, riffChunk, segment } from '../fixtures/containers.ts'
import { paint, quadrants, toJpeg, toPng, toWebp } from '../fixtures/pictures.ts'
import { encodePng } from '../fixtures/png.ts'
import {
  encodeProfile,
  gammaElement,
  matrixElements,
  nameElement,
  tableElement,
} from '../fixtures/profile.ts'
import { openProfile } from '../src/icc/profile.ts'
import { processPanorama, processPhoto } from '../src/process.ts'
import { PLAIN } from './rendering.ts'

const deflate = async (bytes: Uint8Array) => {
  const zipped = new Response(bytes).body?.pipeThrough(new CompressionStream('deflate'))
  return new Uint8Array(await new Response(zipped).arrayBuffer())
}

const png = async (profile: Uint8Array) =>
  toPng(quadrants(8, 8), [pngChunk('iCCP', concat(bytesOf('name\0\0'), await deflate(profile)))])

const webp = async (profile: Uint8Array) => {
  const still = (await toWebp(quadrants(8, 8))).subarray(12)
  const header = riffChunk('VP8X', new Uint8Array([0x20, 0, 0, 0, 7, 0, 0, 7, 0, 0]))
  return riff(header, riffChunk('ICCP', profile), still)
}

const CARRIERS = {
  JPEG: (profile: Uint8Array) => toJpeg(quadrants(8, 8), { profile }),
  PNG: png,
  WebP: webp,
}

const PROFILES = {
  'a few hundred bytes': encodeProfile({ space: 'RGB ', elements: matrixElements() }),
  '216 KB': encodeProfile({ space: 'RGB ', connection: 'Lab ', elements: [['A2B0', tableElement(33)]] }),
  '1.9 MB': encodeProfile({ space: 'RGB ', connection: 'Lab ', elements: [['A2B0', tableElement(68)]] }),
}

/** The elements of a stored profile by signature, without the texts that every profile must have. */
function elementsOf(file: Uint8Array) {
  const found = profileOf(file)
  const profile = found && openProfile(found.profile)
  if (!profile || profile.bytes.length !== found.profile.length) throw new Error('No sound profile')
  return [...profile.tags].filter(([signature]) => signature !== 'desc' && signature !== 'cprt')
}

/** Signatures with a digest of what they stand for: comparing megabytes in `toEqual` takes seconds. */
const digests = (elements: Iterable<readonly [string, Uint8Array]>) =>
  new Map([...elements].map(([name, bytes]) => [name, createHash('sha256').update(bytes).digest('hex')]))

describe('a profile of RGB pixels', () => {
  const cases = Object.entries(CARRIERS).flatMap(([carrier, carry]) =>
    Object.entries(PROFILES).map(([size, profile]) => ({ carrier, carry, size, profile })),
  )

  it.each(cases)('goes with every copy: $size in a $carrier', async ({ carry, profile }) => {
    const file = await carry(profile)
    const wanted = digests(openProfile(profile)?.tags ?? [])
    const mark = toPng(paint(2, 2, () => [200, 0, 0, 255]))
    const { original, watermarked } = processPhoto(file, { maxSide: 1920, watermark: mark })
    const { image, thumb } = processPanorama(file)
    for (const copy of [original, watermarked ?? new Uint8Array(0), image, thumb]) {
      expect(digests(elementsOf(copy))).toEqual(wanted)
      const { profile: stored, numbers } = profileOf(copy) ?? { profile: new Uint8Array(0), numbers: [] }
      const count = Math.ceil(stored.length / 65_519)
      expect(numbers).toEqual(Array.from({ length: count }, (_, i) => `${i + 1} of ${count}`))
    }
  })

  it('is written anew without names, dates, places and private tags', async () => {
    const curve = concat(gammaElement(2.2), bytesOf('\0\0Jane'))
    const noise: [string, Uint8Array][] = [
      ['desc', nameElement('Screen of Jane')],
      ['cprt', concat(bytesOf('text\0\0\0\0Jane\0'))],
      ['dmnd', nameElement('Jane')],
      ['dmdd', nameElement('SN-4711 Jane')],
      ['vued', nameElement('Jane at home')],
      ['vcgt', bytesOf('vcgt\0\0\0\0Jane')],
      ['meta', bytesOf('dict\0\0\0\0Jane')],
      ['OWNR', bytesOf('text\0\0\0\0Jane\0')],
      ['A2B0', bytesOf('text\0\0\0\0Jane\0')],
      ['chad', concat(bytesOf('sf32'), new Uint8Array(40), bytesOf('Jane'))],
    ]
    const file = await CARRIERS.JPEG(
      encodeProfile({ space: 'RGB ', elements: [...noise, ...matrixElements(curve)] }),
    )
    const { original } = processPhoto(file, PLAIN)
    const stored = profileOf(original)?.profile ?? new Uint8Array(0)
    expect(text(stored)).not.toMatch(/Jane|SN-|MAKR|MODL|CRTR|MKCM|APPL|identity/)
    expect(new Map(elementsOf(original))).toEqual(
      new Map([...matrixElements(), ['chad', concat(bytesOf('sf32'), new Uint8Array(40))]]),
    )
    const header = concat(
      uint32(stored.length),
      [0, 0, 0, 0, 2, 0x10, 0, 0],
      bytesOf('mntrRGB XYZ '),
      [7, 208, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0],
      bytesOf('acsp'),
      new Uint8Array(24),
      uint32(0),
      uint32(0xf6d6),
      uint32(0x10000),
      uint32(0xd32d),
      new Uint8Array(48),
    )
    expect(stored.subarray(0, 128)).toEqual(header)
    const tags = openProfile(stored)?.tags ?? new Map<string, Uint8Array>()
    expect(text(tags.get('desc') ?? new Uint8Array(0))).toContain('desc\0\0\0\0\0\0\0\x04RGB\0')
    expect(text(tags.get('cprt') ?? new Uint8Array(0))).toBe('text\0\0\0\0Not stated\0')
    // Three curves in one place stay in one place.
    expect(tags.get('rTRC')).toBe(tags.get('bTRC'))
  })

  const elements = matrixElements()
  const profile = encodeProfile({ space: 'RGB ', elements })
  const useless: [string, Uint8Array][] = [
    [
      'longer than 2 MB',
      encodeProfile({ space: 'RGB ', elements: [...elements, ['gamt', new Uint8Array(2 << 20)]] }),
    ],
    ['of zeros', new Uint8Array(600)],
    ['cut in its last curve', profile.slice(0, -4)],
  ]

  it.each(useless)('is left out when it is of no use: %s', async (_, bytes) => {
    for (const carry of Object.values(CARRIERS)) {
      const { original } = processPhoto(await carry(bytes), PLAIN)
      expect(profileOf(original)).toBeNull()
    }
  })

  it('is left out when a part is missing, or it does not inflate, or to too much', async () => {
    const jpeg = await toJpeg(quadrants(8, 8))
    const parts = profileSegments(PROFILES['216 KB'])
    const files = [
      concat(jpeg.subarray(0, 2), ...parts.slice(0, -1), jpeg.subarray(2)),
      concat(jpeg.subarray(0, 2), segment(0xe2, bytesOf('ICC_PROFILE\0\x01\x01')), jpeg.subarray(2)),
      toPng(quadrants(8, 8), [pngChunk('iCCP', bytesOf('no zlib\0\0nothing'))]),
      toPng(quadrants(8, 8), [
        pngChunk('iCCP', concat(bytesOf('big\0\0'), await deflate(new Uint8Array(9_000_000)))),
      ]),
    ]
    for (const file of files) expect(profileOf(processPhoto(file, PLAIN).original)).toBeNull()
  })

  it('is left out when the checksum of its PNG chunk is wrong', async () => {
    const zipped = await deflate(PROFILES['a few hundred bytes'])
    const chunk = pngChunk('iCCP', concat(bytesOf('name\0\0'), zipped))
    const broken = chunk.with(chunk.length - 1, (chunk.at(-1) ?? 0) ^ 1)
    const [sound, damaged] = [chunk, broken].map((part) =>
      processPhoto(toPng(quadrants(8, 8), [part]), PLAIN),
    )
    expect(profileOf(sound?.original ?? zipped)).not.toBeNull()
    expect(profileOf(damaged?.original ?? zipped)).toBeNull()
  })

  it('does not grow when tags overlap', async () => {
    // A hundred tags on one megabyte, each a byte shorter than the one before.
    const table = tableElement(54)
    const names = ['A2B0', 'A2B1', 'A2B2', 'B2A0', 'B2A1', 'B2A2', 'D2B0', 'D2B1', 'B2D0', 'B2D1', 'gamt']
    const file = encodeProfile({
      space: 'RGB ',
      connection: 'Lab ',
      elements: [...matrixElements(), ...names.map((name) => [name, table] as const)],
    })
    names.forEach((_, i) => {
      const entry = 132 + (7 + i) * 12
      file.set(uint32(table.length - i), entry + 8)
    })
    const { original } = processPhoto(await CARRIERS.JPEG(file), PLAIN)
    expect(original.length).toBeLessThan(2.2 * 1024 * 1024)
  })
})

describe('a profile of grey pixels', () => {
  const grey = encodeProfile({ space: 'GRAY', elements: [['kTRC', gammaElement(1.8)]] })
  const iccp = async (profile: Uint8Array) => [
    pngChunk('iCCP', concat(bytesOf('g\0\0'), await deflate(profile))),
  ]
  const samples = (count: number) => new Uint8Array(count).fill(90)
  const grey8 = { width: 8, height: 8, depth: 8 } as const
  const carriers = {
    JPEG: async (profile: Uint8Array) =>
      toJpeg(
        paint(8, 8, () => [90, 90, 90, 255]),
        { profile, encoder: { color_space: 1 } },
      ),
    PNG: async (profile: Uint8Array) =>
      encodePng({ ...grey8, colourType: 0, samples: samples(64), before: await iccp(profile) }),
    'PNG with alpha': async (profile: Uint8Array) =>
      encodePng({ ...grey8, colourType: 4, samples: samples(128), before: await iccp(profile) }),
  }

  it.each(Object.entries(carriers))('becomes one of RGB pixels: %s', async (_, carry) => {
    const { original } = processPhoto(await carry(grey), PLAIN)
    const elements = new Map(elementsOf(original))
    expect([...elements.keys()].sort()).toEqual(['bTRC', 'bXYZ', 'gTRC', 'gXYZ', 'rTRC', 'rXYZ', 'wtpt'])
    for (const signature of ['rTRC', 'gTRC', 'bTRC'])
      expect(elements.get(signature)).toEqual(gammaElement(1.8))
    expect(text((profileOf(original)?.profile ?? grey).subarray(16, 24))).toBe('RGB XYZ ')
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  ADOBE_MATRIX,
  curveElement,
  encodeProfile,
  formulaElement,
  mabElement,
  matrixElements,
  mft1Element,
  mft2Element,
  type ProfileParts,
  stagesElement,
} from '../corpus/icc.ts'
import { asLab, asLegacyLab, asXyz, printed } from '../corpus/icc-colours.ts'
import { encodeJpeg } from '../corpus/jpeg-encoder.ts'
import { bytesOf, concat } from '../fixtures/bytes.ts'
import { profileOf, profileSegments } from '../fixtures/containers.ts'
import { quadrants, toJpeg } from '../fixtures/pictures.ts'
import { openProfile } from '../src/icc/profile.ts'
import { processPhoto } from '../src/process.ts'
import { PLAIN } from './rendering.ts'

describe('a profile of inks', () => {
  const planes = [40, 200, 120, 230].map((value) => ({ samples: new Uint8Array(256).fill(value) }))
  const inked = (profile: Uint8Array) => encodeJpeg(16, 16, planes, { before: profileSegments(profile) })
  const grey = (profile: Uint8Array) =>
    encodeJpeg(16, 16, planes.slice(0, 1), { before: profileSegments(profile) })
  const plain = () => processPhoto(encodeJpeg(16, 16, planes), PLAIN)
  const table = {
    channels: 4,
    nodes: 3,
    colourAt: (inks: readonly number[]) => asLegacyLab(printed(inks)),
  }
  const press = (element: Uint8Array, parts: Partial<ProfileParts> = {}) =>
    encodeProfile({ space: 'CMYK', connection: 'Lab ', elements: [['A2B0', element]], ...parts })
  const mft1 = mft1Element({ ...table, colourAt: (inks) => asLab(printed(inks)) })
  const mft2 = mft2Element(table)
  const mab = mabElement({ ...table, colourAt: (inks) => asXyz(printed(inks)) })
  const spoilt = (element: Uint8Array, at: number, ...bytes: number[]) => {
    const copy = element.slice()
    copy.set(bytes, at)
    return copy
  }

  it.each([
    ['mft1', press(mft1)],
    ['mft2', press(mft2)],
    ['mAB', press(mab, { connection: 'XYZ ', version: 4 })],
  ])('changes what inks look like, and does not stay: %s', async (_, profile) => {
    const { original } = processPhoto(inked(profile), PLAIN)
    expect(profileOf(original)).toBeNull()
    expect(original).not.toEqual(plain().original)
  })

  const far = [0, 0xff, 0xff, 0xff]
  const useless: [string, Uint8Array][] = [
    ['of colours', encodeProfile({ space: 'RGB ', elements: matrixElements() })],
    ['of three inks', press(spoilt(mft2, 8, 3))],
    ['to four colours', press(spoilt(mft2, 9, 4))],
    ['without a table', press(mft2, { elements: [['A2B1', mft2]] })],
    ['with a text for a table', press(bytesOf(`text${'\0'.repeat(60)}`))],
    ['no nodes', press(spoilt(mft1, 10, 0))],
    ['one node', press(spoilt(mft2, 10, 1))],
    ['more nodes than there are', press(spoilt(mft2, 10, 4))],
    ['255 nodes', press(spoilt(mft1, 10, 255))],
    ['one sample in a curve', press(spoilt(mft2, 48, 0, 1))],
    ['too many samples in a curve', press(spoilt(mft2, 48, 0xff, 0xff))],
    ['cut by a byte', press(mft2.slice(0, -1))],
    ['last curves far away', press(spoilt(mab, 12, ...far))],
    ['no last curves', press(spoilt(mab, 12, 0, 0, 0, 0))],
    ['matrix far away', press(spoilt(mab, 16, ...far))],
    ['middle curves far away', press(spoilt(mab, 20, ...far))],
    ['nodes far away', press(spoilt(mab, 24, ...far))],
    ['no nodes at all', press(spoilt(mab, 24, 0, 0, 0, 0))],
    ['first curves far away', press(spoilt(mab, 28, ...far))],
    ['a formula of an unknown kind', press(spoilt(mab, 32 + 8, 0, 9))],
    ['samples of three bytes', press(spoilt(mab, mab.indexOf(3, 170) + 16, 3))],
    ['curves of a billion samples', press(spoilt(mab, mab.length - 4 * 80 + 8, 0x40, 0, 0, 0))],
  ]
  it.each(useless)('is passed over when it is of no use: %s', async (_, profile) => {
    expect(processPhoto(inked(profile), PLAIN).original).toEqual(plain().original)
  })

  it('may say anything without harm', async () => {
    const straight = formulaElement(0, 1)
    const stages = stagesElement({ first: straight, middle: straight, matrix: ADOBE_MATRIX, last: straight })
    const tones = mft2Element({ channels: 1, nodes: 2, colourAt: ([grey = 0]) => [grey, grey, grey] })
    const profiles = [
      press(mft1),
      press(mft2),
      press(mab, { connection: 'XYZ ', version: 4 }),
      encodeProfile({ space: 'RGB ', elements: matrixElements(formulaElement(4, 2.4, 1, 0, 1, 0.1, 0, 0)) }),
      encodeProfile({ space: 'RGB ', elements: matrixElements(curveElement(5, (value) => value)) }),
      encodeProfile({ space: 'RGB ', version: 4, elements: [['A2B0', stages]] }),
      encodeProfile({ space: 'GRAY', elements: [['A2B0', tones]] }),
    ]
    const change = fc.record({
      part: fc.double({ min: 0, max: 1, noNaN: true }),
      isEarly: fc.boolean(),
      byte: fc.constantFrom(0, 1, 2, 4, 17, 127, 128, 254, 255),
    })
    const rgb = await toJpeg(quadrants(16, 16))
    await fc.assert(
      fc.asyncProperty(
        fc.nat(profiles.length - 1),
        fc.array(change, { minLength: 1, maxLength: 6 }),
        async (index, changes) => {
          const profile = (profiles[index] ?? mft1).slice()
          // Half of the changes fall on the header, the tags and the beginnings of the elements.
          for (const { part, isEarly, byte } of changes) {
            profile[Math.floor(part * (isEarly ? Math.min(400, profile.length) : profile.length - 1))] = byte
          }
          const coloured = concat(rgb.subarray(0, 2), ...profileSegments(profile), rgb.subarray(2))
          for (const file of [inked(profile), coloured, grey(profile)]) {
            const { width, height, original } = processPhoto(file, PLAIN)
            expect([width, height]).toEqual([16, 16])
            const kept = profileOf(original)?.profile
            if (kept) expect(openProfile(kept)?.bytes).toHaveLength(kept.length)
          }
        },
      ),
      { numRuns: 100 },
    )
  }, 60_000)
})

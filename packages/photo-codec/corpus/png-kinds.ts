/** The kinds of PNG: samples of a picture by colour type and depth, with the chunks that go with them. */

import { concat } from '../fixtures/bytes.ts'
import { pngChunk } from '../fixtures/containers.ts'
import type { PngOptions } from '../fixtures/png.ts'
import type { Rgb } from '../fixtures/scene.ts'
import { alphaOf, paletteOf, planesOf, toYcc } from './forms.ts'

/** Odd in both directions; rows of 1, 2 and 4 bits end within a byte. */
export const [WIDTH, HEIGHT] = [203, 131]

export type Kind = Pick<PngOptions, 'colourType' | 'depth' | 'samples' | 'before'>
type Depth = PngOptions['depth']

/** A value of 0 to 255 in so many bits; of 16, the low byte is something else that does not matter. */
function atDepth(value: number, depth: Depth): number {
  return depth === 16 ? value * 256 + ((value * 37) & 255) : (value * (2 ** depth - 1) + 127) >> 8
}

/** Channels side by side at a depth. */
function samplesOf(planes: readonly Uint8Array[], depth: Depth): Uint16Array {
  const [first = new Uint8Array(0)] = planes
  return Uint16Array.from({ length: first.length * planes.length }, (_, i) =>
    atDepth(planes[i % planes.length]?.[Math.floor(i / planes.length)] ?? 0, depth),
  )
}

const greyOf = (picture: Rgb) => toYcc(planesOf(picture))[0]

export const grey =
  (depth: Depth) =>
  (picture: Rgb): Kind => ({
    colourType: 0,
    depth,
    samples: samplesOf([greyOf(picture)], depth),
  })
export const colour =
  (depth: Depth) =>
  (picture: Rgb): Kind => ({
    colourType: 2,
    depth,
    samples: samplesOf(planesOf(picture), depth),
  })
export const greyAlpha =
  (depth: Depth) =>
  (picture: Rgb): Kind => ({
    colourType: 4,
    depth,
    samples: samplesOf([greyOf(picture), alphaOf(picture)], depth),
  })
export const colourAlpha =
  (depth: Depth) =>
  (picture: Rgb): Kind => ({
    colourType: 6,
    depth,
    samples: samplesOf([...planesOf(picture), alphaOf(picture)], depth),
  })

/** Indexes into as many colours as the depth allows. */
export const palette =
  (depth: 1 | 2 | 4 | 8) =>
  (picture: Rgb): Kind => {
    const { colours, indexes } = paletteOf(picture, 2 ** depth)
    return {
      colourType: 3,
      depth,
      samples: Uint16Array.from(indexes),
      before: [pngChunk('PLTE', concat(...colours))],
    }
  }

/** Transparency by tRNS: its body is made of the samples of the first pixel, or of opacities for a palette. */
export const withTransparency =
  (make: (picture: Rgb) => Kind) =>
  (picture: Rgb): Kind => {
    const { samples, before = [], ...kind } = make(picture)
    const first = [...samples.subarray(0, kind.colourType === 2 ? 3 : 1)]
    const body =
      kind.colourType === 3 ? [0, 80, 255, 160] : first.flatMap((value) => [value >> 8, value & 255])
    // A stripe of that very colour, so that there is something to see.
    for (let i = 0; i < samples.length >> 2; i++) samples[i] = first[i % first.length] ?? 0
    return { ...kind, samples, before: [...before, pngChunk('tRNS', Uint8Array.from(body))] }
  }

/** A chunk of this name whose checksum is wrong. */
export function wrongChecksum(type: string, body: Uint8Array = new Uint8Array(6)): Uint8Array {
  const chunk = pngChunk(type, body)
  return chunk.with(chunk.length - 1, (chunk.at(-1) ?? 0) ^ 1)
}

import { describe, expect, it } from 'vitest'
import { concat } from '../fixtures/bytes.ts'
import { pngChunk } from '../fixtures/containers.ts'
import {
  BLUE,
  buildPng,
  type Colour,
  GREEN,
  paint,
  RED,
  texture,
  toPng,
  WHITE,
} from '../fixtures/pictures.ts'
import { encodePng } from '../fixtures/png.ts'
import { seeded } from '../fixtures/random.ts'
import { processPhoto } from '../src/process.ts'

import { PLAIN } from './rendering.ts'

describe('processPhoto', () => {
  const palette = pngChunk('PLTE', concat(RED.slice(0, 3), GREEN.slice(0, 3), BLUE.slice(0, 3)))
  it.each([
    [
      '1-bit grey',
      { colourType: 0, depth: 1, rows: [[0b01000000]] },
      [
        [0, 0, 0],
        [255, 255, 255],
      ],
    ],
    [
      '2-bit grey',
      { colourType: 0, depth: 2, rows: [[0b00100000]] },
      [
        [0, 0, 0],
        [170, 170, 170],
      ],
    ],
    [
      '4-bit grey',
      { colourType: 0, depth: 4, rows: [[0x0f]] },
      [
        [0, 0, 0],
        [255, 255, 255],
      ],
    ],
    [
      '16-bit grey',
      { colourType: 0, depth: 16, rows: [[0x40, 0xff, 0x80, 0]] },
      [
        [0x40, 0x40, 0x40],
        [128, 128, 128],
      ],
    ],
    [
      'grey with a transparent value',
      { colourType: 0, depth: 8, rows: [[7, 90]], before: [pngChunk('tRNS', new Uint8Array([0, 7]))] },
      [
        [255, 255, 255],
        [90, 90, 90],
      ],
    ],
    [
      'grey with alpha',
      { colourType: 4, depth: 8, rows: [[100, 255, 0, 0]] },
      [
        [100, 100, 100],
        [255, 255, 255],
      ],
    ],
    [
      '16-bit RGB',
      { colourType: 2, depth: 16, rows: [[9, 1, 80, 1, 90, 1, 70, 0, 71, 0, 72, 0]] },
      [
        [9, 80, 90],
        [70, 71, 72],
      ],
    ],
    [
      'RGB with a transparent colour',
      {
        colourType: 2,
        depth: 8,
        rows: [[1, 2, 3, 1, 2, 4]],
        before: [pngChunk('tRNS', new Uint8Array([0, 1, 0, 2, 0, 3]))],
      },
      [
        [255, 255, 255],
        [1, 2, 4],
      ],
    ],
    ['a palette', { colourType: 3, depth: 2, rows: [[0b01100000]], before: [palette] }, [GREEN, BLUE]],
    [
      'a palette with transparency',
      { colourType: 3, depth: 4, rows: [[0x02]], before: [palette, pngChunk('tRNS', new Uint8Array([0]))] },
      [WHITE, BLUE],
    ],
    [
      'interlaced RGB',
      {
        colourType: 2,
        depth: 8,
        rows: [
          [10, 20, 30],
          [40, 50, 60],
        ],
        interlaced: true,
      },
      [
        [10, 20, 30],
        [40, 50, 60],
      ],
    ],
  ])('reads PNG: %s', async (_, kind, [left, right]) => {
    // Each row holds two pixels; drawn as one column of each, they are told apart at full size.
    const rows = kind.rows.map((row) => new Uint8Array(row))
    const small = buildPng(2, 1, { ...kind, rows })
    const expected = toPng(
      paint(2, 1, (x) => [...((x === 0 ? left : right) ?? WHITE).slice(0, 3), 255] as unknown as Colour),
    )
    const [found, wanted] = [processPhoto(small, PLAIN), processPhoto(expected, PLAIN)]
    expect(found.original).toEqual(wanted.original)
  })

  // Samples of every kind of row, so far apart that filters meet all their cases.
  const noisy = [2, 6, 0, 4].flatMap((colourType) =>
    [8, 16].flatMap((depth) =>
      [1, 2, 3, 5, 40].map((width) => ({ colourType, depth, width, height: 30, interlaced: width === 5 })),
    ),
  )
  it.each(noisy)('undoes every filter: $depth bits of type $colourType, $width wide', async (kind) => {
    const { colourType, depth, width, height } = kind
    const channels = [1, 0, 3, 0, 2, 0, 4][colourType] ?? 1
    const random = seeded(width + depth + colourType)
    const samples = Uint16Array.from({ length: width * height * channels }, () => {
      const value = random.int(0, 2 ** depth - 1)
      return random.chance(0.5) ? value : value < 2 ** (depth - 1) ? 0 : 2 ** depth - 1
    })
    const store = (filter?: number) =>
      processPhoto(encodePng({ ...kind, samples, ...(filter === undefined ? {} : { filter }) }), PLAIN)
        .original
    const plain = store(0)
    for (const filter of [1, 2, 3, 4, undefined]) expect(store(filter)).toEqual(plain)
    // Of 16 bits the upper eight count.
    if (depth === 8) return
    const upper = { ...kind, depth: 8, samples: samples.map((sample) => sample >> 8) }
    expect(processPhoto(encodePng(upper), PLAIN).original).toEqual(plain)
  })

  it('puts an interlaced picture together', async () => {
    const picture = texture(13, 11)
    const interlaced = encodePng({
      width: 13,
      height: 11,
      colourType: 6,
      depth: 8,
      samples: picture.data,
      filter: 0,
      interlaced: true,
    })
    expect(processPhoto(interlaced, PLAIN).original).toEqual(processPhoto(toPng(picture), PLAIN).original)
  })
})

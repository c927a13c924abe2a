/** Trees and bushes, as they are seen from the eye. */
import { type Colour, darker, lighter } from './colour.ts'
import type { Panel } from './panel.ts'
import type { Spot } from './spot.ts'

export type Tree = 'round' | 'olive' | 'cypress' | 'pine' | 'palm' | 'bush' | 'flowers'

interface Crown {
  readonly colour: Colour
  readonly trunk: number
  /** Discs of the crown: x, y, radius. */
  readonly discs: readonly (readonly [number, number, number])[]
}

const CROWNS: Readonly<Record<Exclude<Tree, 'palm' | 'cypress'>, Crown>> = {
  round: {
    colour: 0x5f9150,
    trunk: 1.7,
    discs: [
      [-0.9, 2.4, 0.95],
      [0.85, 2.3, 0.95],
      [0, 2.1, 1],
      [-0.4, 3.1, 0.95],
      [0.5, 3.2, 0.9],
      [0, 3.8, 0.75],
    ],
  },
  olive: {
    colour: 0x8b9d72,
    trunk: 1.1,
    discs: [
      [-0.9, 1.7, 0.7],
      [0.9, 1.75, 0.72],
      [0, 1.7, 0.8],
      [-0.5, 2.3, 0.7],
      [0.5, 2.4, 0.72],
      [0, 2.8, 0.55],
    ],
  },
  pine: {
    colour: 0x4f7f56,
    trunk: 3.6,
    discs: [
      [-1.5, 4, 0.6],
      [-0.7, 4.2, 0.75],
      [0.2, 4.2, 0.8],
      [1, 4.1, 0.7],
      [1.6, 3.95, 0.5],
      [-0.3, 4.6, 0.6],
      [0.6, 4.65, 0.55],
    ],
  },
  bush: {
    colour: 0x6b9a58,
    trunk: 0,
    discs: [
      [-0.45, 0.35, 0.42],
      [0.45, 0.35, 0.42],
      [0, 0.5, 0.5],
      [-0.2, 0.7, 0.36],
      [0.28, 0.72, 0.32],
    ],
  },
  flowers: {
    colour: 0xc64f86,
    trunk: 0,
    discs: [
      [-0.45, 0.3, 0.36],
      [0.4, 0.3, 0.38],
      [0, 0.45, 0.45],
      [-0.25, 0.75, 0.32],
      [0.25, 0.7, 0.34],
    ],
  },
}

export function tree(spot: Spot, kind: Tree, size = 1): void {
  const spread =
    (kind === 'cypress'
      ? 0.5
      : kind === 'pine' || kind === 'palm'
        ? 1.5
        : kind === 'bush' || kind === 'flowers'
          ? 0.7
          : 1.3) * size
  const floor = spot.floor(0.01)
  for (let step = 1; step <= 5; step += 1)
    floor.disc(spread * 0.5, spread * 0.25, (spread * step) / 4, (spread * step) / 7, 0x1b2238, 0.075)
  const reach = spread * 0.35
  spot.thing(-reach, -reach, 0, 2 * reach, 2 * reach, 5 * size, () => {
    const panel = spot.upright(0, 0)
    if (kind === 'cypress') return cypress(panel, size)
    if (kind === 'palm') return palm(panel, size)
    const { colour, trunk, discs } = CROWNS[kind]
    if (trunk > 0)
      panel.polygon(
        [
          [-0.14 * size, 0],
          [0.14 * size, 0],
          [0.08 * size, (trunk + 0.6) * size],
          [-0.08 * size, (trunk + 0.6) * size],
        ],
        0x7a5a41,
      )
    for (const [shift, scale, shade] of [
      [0, 1, darker(colour, 0.22)],
      [-0.08, 0.92, colour],
      [-0.24, 0.56, lighter(colour, 0.16)],
    ] as const)
      for (const [x, y, radius] of discs)
        panel.disc(
          (x + shift) * size,
          (y - shift * 0.9) * size,
          radius * scale * size,
          radius * scale * 0.92 * size,
          shade,
        )
    if (kind === 'flowers')
      for (let leaf = 0; leaf < 16; leaf += 1)
        panel.disc(
          (((leaf * 37) % 17) / 17 - 0.5) * 1.3 * size,
          (0.12 + ((leaf * 23) % 13) / 14) * size,
          0.07 * size,
          0.06 * size,
          leaf % 3 ? 0x5c8d52 : 0xe78fb5,
        )
  })
}

function cypress(panel: Panel, size: number): void {
  const outline = (wide: number) =>
    [
      [-0.5, 0.3],
      [-0.62, 1.3],
      [-0.5, 2.6],
      [-0.25, 4],
      [0, 5],
      [0.25, 4],
      [0.5, 2.6],
      [0.62, 1.3],
      [0.5, 0.3],
    ].map(([x = 0, y = 0]) => [x * (x > 0 ? wide : 1) * size, y * size] as const)
  panel.rectangle(-0.08 * size, 0, 0.16 * size, 0.5 * size, 0x6b4b35)
  panel.polygon(outline(1), 0x33593f)
  panel.polygon(outline(-0.1), 0x47704d)
}

function palm(panel: Panel, size: number): void {
  panel.polygon(
    [
      [-0.17 * size, 0],
      [0.17 * size, 0],
      [0.2 * size, 3.6 * size],
      [0.04 * size, 3.6 * size],
    ],
    0x94714f,
  )
  for (let ring = 1; ring < 9; ring += 1)
    panel.rectangle((-0.12 + ring * 0.017) * size, ring * 0.4 * size, 0.2 * size, 0.05 * size, 0x7a5a3e)
  for (let leaf = 0; leaf < 11; leaf += 1) {
    const lean = (leaf / 10) * 2 - 1
    const [x, y] = [lean * 1.9 * size, (1.25 - Math.abs(lean) * 1.9) * size]
    const [midX, midY] = [x * 0.55, y * 0.5 + 0.62 * size]
    const colour = leaf % 2 ? 0x4e8a4f : 0x6aa35c
    const foot = 3.65 * size
    panel.polygon(
      [
        [0.12 * size, foot],
        [midX, foot + midY + 0.14 * size],
        [x, foot + y],
        [midX * 1.05, foot + midY - 0.2 * size],
      ],
      colour,
    )
  }
}

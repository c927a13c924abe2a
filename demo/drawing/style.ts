import type { Random } from '../../fixtures/random.ts'
import type { Colour } from './colour.ts'
import type { Light, Vector } from './stage.ts'

/** Of what floors are made. */
export type Flooring = 'planks' | 'tiles' | 'terrazzo'

/** The materials of one property: the same inside and outside, in all of its pictures. */
export interface Style {
  readonly plaster: Colour
  /** Shutters, doors and awnings. */
  readonly accent: Colour
  readonly roof: Colour
  readonly wall: Colour
  readonly feature: Colour
  readonly sofa: Colour
  readonly textile: Colour
  readonly wood: Colour
  readonly floor: Colour
  readonly frame: Colour
  readonly flooring: Flooring
  readonly sky: Sky
}

/** The light of a time of day, and the colours of its sky from the top to the horizon. */
export interface Sky extends Light {
  readonly colours: readonly [top: Colour, middle: Colour, horizon: Colour]
  readonly cloud: Colour
  readonly sea: Colour
  /** Whether lamps are on. */
  readonly isEvening: boolean
}

const PALETTES: readonly Omit<Style, 'sky' | 'flooring'>[] = [
  palette(0xf8f5ee, 0x2f6d9b, 0xb9694b, 0xf3f0e8, 0xc4d9e4, 0x44789b, 0xe9b04a, 0xb98a5a, 0xcda877, 0xffffff),
  palette(0xf0dcc2, 0xb0563a, 0xa84f33, 0xf5eadb, 0xe2b394, 0xc46f4f, 0x2f6461, 0x97663f, 0xb07f52, 0xf7f1e6),
  palette(0xeef0e4, 0x5f8468, 0xb3694a, 0xf1f1e7, 0xb4c6ac, 0x5d8069, 0xe0a458, 0xb48a62, 0xc9a77a, 0xffffff),
  palette(0xf5e2b4, 0x9c4f2c, 0xb25c3a, 0xf7efd9, 0xe8c985, 0xd29a3c, 0x3d5c75, 0x85573a, 0xa5764b, 0xfaf3e2),
  palette(0xecebe7, 0x3b464f, 0x5a626a, 0xf0efec, 0x93a2ab, 0x5f6c77, 0xdb8f5a, 0xa57e58, 0xbd9b76, 0x363d44),
  palette(0xf3ded4, 0x8b4e5b, 0xa65844, 0xf6eae4, 0xdcb0a6, 0xa8666d, 0x4c6e6b, 0xb08562, 0xc8a581, 0xffffff),
  palette(0xdfd2bd, 0x44586b, 0x9a5a41, 0xefe9dd, 0xc9b99c, 0x8a7b63, 0xb9573e, 0x7d5a3d, 0x95704c, 0x4b4038),
]

function palette(
  plaster: Colour,
  accent: Colour,
  roof: Colour,
  wall: Colour,
  feature: Colour,
  sofa: Colour,
  textile: Colour,
  wood: Colour,
  floor: Colour,
  frame: Colour,
) {
  return { plaster, accent, roof, wall, feature, sofa, textile, wood, floor, frame }
}

const WEST: Vector = [-0.6, -0.48, 0.64]
const EAST: Vector = [0.64, -0.48, 0.6]
const LOW: Vector = [-0.8, -0.48, 0.36]

export const SKIES: Readonly<Record<'day' | 'morning' | 'evening' | 'dusk', Sky>> = {
  day: sky(WEST, 0xfffcf4, 0xa3b2d2, [0x3f8fd8, 0x84bdec, 0xdcf0fa], 0xffffff, 0x2f86b5, false),
  morning: sky(EAST, 0xfff4e2, 0xaab0cc, [0x7db6e4, 0xbfdcef, 0xfdeeda], 0xfffaf0, 0x5aa0be, false),
  evening: sky(LOW, 0xffdcae, 0x9a87ae, [0x5f6cae, 0xd98f8a, 0xffd79a], 0xffc9a3, 0x6f7fa6, true),
  dusk: sky(LOW, 0xb9a9cf, 0x77789f, [0x1f2b5c, 0x6a5b93, 0xf0a583], 0x9a86b4, 0x40507f, true),
}

function sky(
  towards: Vector,
  sun: Colour,
  shadow: Colour,
  colours: Sky['colours'],
  cloud: Colour,
  sea: Colour,
  isEvening: boolean,
): Sky {
  return { towards, sun, shadow, colours, cloud, sea, isEvening }
}

/** Light inside: soft, from the left and above. */
export function indoors({ isEvening }: Sky): Light {
  return {
    towards: [-0.36, -0.48, 0.8],
    sun: isEvening ? 0xfff0da : 0xfffdf8,
    shadow: isEvening ? 0xbfa6a4 : 0xbfbac4,
  }
}

/** The style of a property. */
export function pickStyle(random: Random): Style {
  const colours = random.pick(PALETTES)
  const flooring = random.pick(['planks', 'planks', 'terrazzo'] as const)
  return {
    ...colours,
    flooring,
    sky: SKIES[random.pick(['day', 'day', 'morning', 'evening', 'dusk'] as const)],
  }
}

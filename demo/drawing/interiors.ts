/** The rooms of a home. */
import type { Random } from '../../fixtures/random.ts'
import { lighter } from './colour.ts'
import * as decor from './decor.ts'
import * as fittings from './fittings.ts'
import * as furniture from './furniture.ts'
import * as garden from './garden.ts'
import { buildRoom, door, type Room } from './room.ts'
import type { Stage, Vector } from './stage.ts'
import type { Style } from './style.ts'
import { curtains, glazing, type Outlook, sunbeam } from './windows.ts'

/** What the pictures of one property have in common. */
export interface Home {
  readonly style: Style
  readonly outlook: Outlook
  readonly random: Random
}

/** A room to photograph: where the eye stands and how many degrees east of north it looks. */
export interface Interior {
  readonly eye: Vector
  readonly heading: number
  /** Where the eye stands for a panorama. */
  readonly middle: Vector
  readonly isOutside?: boolean
  readonly build: (stage: Stage, home: Home) => void
}

export const livingRoom: Interior = {
  eye: [0.55, 0.35, 1.4],
  middle: [2.95, 1.55, 1.5],
  heading: 36,
  build: (stage, { style, outlook, random }) => {
    const plain = style.wall
    const room = buildRoom(
      stage,
      [5.6, 4.9, 2.8],
      [style.feature, plain, plain, plain],
      style.flooring,
      style,
    )
    sunbeam(room.floor, 5.5, 2.2, -2.2, 2, style)
    glazing(room.east, [1.2, 0, 2.4, 2.3], outlook, style)
    curtains(room.east, 1.2, 2.4, 2.5, lighter(style.textile, 0.45))
    const middle = middleOf(room, 0.1, 0.55)
    decor.rug(middle, 3, 2.1, style)
    furniture.sofa(room.north.from(2.7, 0.05), 2.3, style)
    decor.picture(room.north.wall(), 1.75, 1.45, 0.85, 0.75, style, 0)
    decor.picture(room.north.wall(), 2.75, 1.35, 0.65, 0.85, style, 1)
    decor.floorLamp(room.north.from(4.25, 0.4), style)
    decor.plant(room.north.from(5.15, 0.45), 1, lighter(style.accent, 0.1))
    furniture.bookcase(room.north.from(0.75, 0), 1.1, 2.1, style, random)
    furniture.woodTable(middle, 1.15, 0.65, 0.4, style.wood)
    decor.tableware(middle.from(0, 0, 0.4), style)
    furniture.armchair(room.east.from(4.1, 1.1), style.textile)
    furniture.media(room.south.from(2.4, 0), 1.9, style)
    decor.plant(room.south.from(0.6, 0.5), 0.8, style.wood)
    decor.picture(room.west.wall(), 1.2, 1.35, 1.2, 0.8, style, 2)
    door(room.west, 3.4, style)
    decor.pendant(middle, room.height, 1.95, style)
  },
}

export const kitchen: Interior = {
  eye: [0.35, 0.3, 1.5],
  middle: [1.7, 1.9, 1.5],
  heading: 33,
  build: (stage, { style, outlook, random }) => {
    const { wall } = style
    const room = buildRoom(stage, [4.8, 4.2, 2.7], [wall, wall, style.feature, wall], 'tiles', style)
    sunbeam(room.floor, 4.7, 1.6, -1.9, 1.7, style)
    glazing(room.north, [1.75, 1.12, 1.15, 1.1], outlook, style)
    glazing(room.east, [1.5, 0, 1.7, 2.2], outlook, style)
    fittings.fridge(room.north.from(0.12, 0))
    fittings.kitchenRow(room.north.from(0.95, 0), 3.75, style)
    const middle = middleOf(room, 0.7, -0.3)
    furniture.woodTable(middle, 1.5, 0.85, 0.76, style.wood)
    decor.tableware(middle.from(0, 0, 0.76), style)
    for (const x of [-0.4, 0.4]) {
      furniture.chair(middle.from(x, -0.95), style.textile, style.wood)
      furniture.chair(middle.from(x, 0.95).turned(2), style.textile, style.wood)
    }
    decor.pendant(middle, room.height, 1.75, style)
    decor.plant(room.east.from(0.95, 0.35), 0.75, style.roof)
    furniture.bookcase(room.south.from(2.4, 0), 1.2, 1.8, style, random)
    door(room.west, 1.6, style)
  },
}

export const bedroom: Interior = {
  eye: [0.75, 0.3, 1.45],
  middle: [2.35, 1.35, 1.5],
  heading: 24,
  build: (stage, { style, outlook }) => {
    const { wall } = style
    const room = buildRoom(stage, [4.7, 4.3, 2.75], [style.feature, wall, wall, wall], style.flooring, style)
    sunbeam(room.floor, 4.6, 1.9, -1.4, 1.6, style)
    glazing(room.east, [1.3, 0.85, 1.7, 1.4], outlook, style)
    curtains(room.east, 1.3, 1.7, 2.45, lighter(style.sofa, 0.5))
    decor.rug(room.north.from(2.4, 1.75), 2.9, 1.5, style)
    fittings.bed(room.north.from(2.4, 0.02), 1.65, style)
    for (const x of [1.17, 3.63]) fittings.nightstand(room.north.from(x, 0.02), style)
    decor.picture(room.north.wall(), 1.75, 1.5, 1.3, 0.75, style, 0)
    fittings.wardrobe(room.west.from(2.55, 0), 1.7, lighter(style.wood, 0.45))
    decor.plant(room.north.from(4.25, 0.42), 0.95, style.accent)
    decor.pendant(middleOf(room), room.height, 2.1, style)
    furniture.armchair(room.east.from(3.6, 0.1), style.textile)
    door(room.south, 2.9, style)
  },
}

export const bathroom: Interior = {
  eye: [0.25, 0.2, 1.5],
  middle: [1.3, 1.3, 1.5],
  heading: 36,
  build: (stage, { style, outlook }) => {
    const { wall } = style
    const room = buildRoom(stage, [3.5, 3.1, 2.6], [wall, wall, wall, wall], 'tiles', style)
    const tile = lighter(style.feature, 0.2)
    fittings.tiles(room.north.wall(), 0, 0.06, 3.5, 1.14, 0.19, tile)
    fittings.tiles(room.east.wall(), 0, 0.06, 3.1, 1.14, 0.19, tile)
    glazing(room.east, [1.1, 1.35, 1.1, 0.85], outlook, style)
    sunbeam(room.floor, 2.6, 1.1, -1.1, 0.9, style)
    fittings.washbasin(room.north.from(1.55, 0), style)
    fittings.toilet(room.north.from(0.5, 0))
    fittings.bathtub(room.east.from(0.55, 0), 1.9)
    fittings.towel(room.north.wall(), 2.3, 1.75, style.textile)
    decor.rug(room.north.from(1.6, 1.5), 1.2, 0.7, style)
    decor.plant(room.north.from(3.2, 0.35), 0.62, style.accent)
    decor.pendant(middleOf(room), room.height, 2.2, style)
    door(room.south, 1.2, style)
  },
}

export const hall: Interior = {
  eye: [1.05, 0.3, 1.5],
  middle: [1.35, 2.4, 1.5],
  heading: 9,
  build: (stage, { style, outlook, random }) => {
    const { wall } = style
    const room = buildRoom(stage, [2.7, 6.6, 2.8], [style.feature, wall, wall, wall], style.flooring, style)
    glazing(room.north, [0.75, 0, 1.2, 2.25], outlook, style)
    decor.rug(room.north.from(1.35, 3.2), 1, 4.2, style)
    sunbeam(room.floor, 0.8, 5.2, 1.2, 1.2, style)
    door(room.west, 1.3, style, style.accent)
    door(room.east, 1.2, style)
    door(room.east, 4.1, style)
    furniture.bookcase(room.west.from(3.2, 0), 1.4, 0.85, style, random)
    decor.picture(room.west.wall(), 2.75, 1.25, 0.9, 1.05, style, 1)
    decor.picture(room.east.wall(), 2.7, 1.3, 0.8, 0.8, style, 0)
    decor.plant(room.west.from(5.9, 0.4), 0.95, style.textile)
    decor.plant(room.east.from(0.45, 0.4), 0.8, style.accent)
    for (const y of [1.4, 3.6]) decor.pendant(room.north.from(1.35, y), room.height, 2.15, style)
  },
}

export const workspace: Interior = {
  eye: [0.5, 0.35, 1.55],
  middle: [3, 1.2, 1.5],
  heading: 35,
  build: (stage, { style, outlook, random }) => {
    const { wall } = style
    const room = buildRoom(
      stage,
      [6.4, 5, 2.9],
      [wall, wall, style.feature, style.feature],
      'terrazzo',
      style,
    )
    sunbeam(room.floor, 6.3, 2, -2, 2, style)
    glazing(room.east, [0.9, 0.75, 3.2, 1.75], outlook, style)
    furniture.bookcase(room.north.from(0.8, 0), 1.3, 2.1, style, random)
    decor.picture(room.north.wall(), 2.2, 1.35, 1.2, 0.85, style, 0)
    decor.picture(room.north.wall(), 3.7, 1.35, 0.85, 0.85, style, 1)
    decor.plant(room.north.from(5.9, 0.5), 1.1, style.accent)
    for (const [x, y] of [
      [2.6, 0.95],
      [4.6, 0.95],
      [2.9, 3.1],
      [4.9, 3.1],
    ] as const) {
      const desk = room.north.from(x, y)
      furniture.woodTable(desk, 1.5, 0.75, 0.74, style.wood)
      desk.box([-0.3, -0.26, 0.8], [0.6, 0.04, 0.36], 0x2b3036, ({ front }) =>
        front.fade(0.02, 0.02, 0.56, 0.32, style.sofa, lighter(style.sofa, 0.55)),
      )
      desk.box([-0.05, -0.26, 0.74], [0.1, 0.1, 0.06], 0x2b3036)
      desk.box([-0.24, 0.02, 0.74], [0.48, 0.16, 0.02], 0xe8e8e6)
      furniture.chair(desk.from(0, 0.95).turned(2), style.textile, style.accent)
    }
    decor.pendant(room.north.from(3.6, 0.95), room.height, 2.1, style)
    decor.pendant(room.north.from(3.9, 3.1), room.height, 2.1, style)
    door(room.west, 2, style)
  },
}

export const garage: Interior = {
  eye: [0.7, 0.6, 1.6],
  middle: [3, 2, 1.5],
  heading: 38,
  build: (stage, { style, random }) => {
    const grey = 0xd6d5d0
    const room = buildRoom(stage, [10, 7.6, 2.7], [grey, grey, grey, grey], 'terrazzo', style)
    for (const side of [room.north, room.east])
      side.wall().rectangle(0, 0.1, 10, 0.9, style.accent, { opacity: 0.75 })
    for (const x of [0.4, 3.2, 6, 8.8]) room.floor.rectangle(x, 2.4, 0.11, 5.2, 0xfaf3d8)
    const colours = random.sample([style.sofa, style.textile, 0xe9e7e2, style.roof], 2)
    for (const [index, x] of [5.5, 8.4].entries())
      garden.car(room.north.from(x, 0.7).turned(3), colours[index] ?? grey)
    for (const x of [3.05, 5.85])
      room.north.box([x, 0.4, 0], [0.45, 0.45, 2.7], lighter(grey, 0.3), ({ front, left }) => {
        for (const face of [front, left]) face.rectangle(0, 0.2, 0.45, 0.8, 0xe6b93c)
      })
  },
}

/** A spot in the middle of a room, moved to the east and north. */
function middleOf(room: Room, x = 0, y = 0) {
  return room.north.from(room.width / 2 + x, room.depth / 2 - y)
}

import { mix } from './raster.ts'

/** The colour in a direction, both in radians; a heading of 0 is east, π/2 north. */
export type Look = (heading: number, elevation: number) => number

/** Half the length and width, and from the eye down to the floor and up to the ceiling, in metres. */
interface Size {
  x: number
  y: number
  down: number
  up: number
}

/** The colour of a wall: `along` it from its middle, `up` from the floor, in metres. */
type Wall = (along: number, up: number) => number

/** A room as a box; floor and ceiling have their origin below and above the eye. */
export interface Room {
  size: Size
  floor: (x: number, y: number) => number
  ceiling: (x: number, y: number) => number
  east: Wall
  west: Wall
  north: Wall
  south: Wall
}

/** A ray from the eye, a metre long. */
export function ray(heading: number, elevation: number): { dx: number; dy: number; dz: number } {
  const level = Math.cos(elevation)
  return { dx: Math.cos(heading) * level, dy: Math.sin(heading) * level, dz: Math.sin(elevation) }
}

/** What is met in a direction: floor, ceiling or a wall, whichever comes first. */
export function isWithin({ size, ...room }: Room): Look {
  return (heading, elevation) => {
    const { dx, dy, dz } = ray(heading, elevation)
    const level = dz > 0 ? size.up / dz : size.down / -dz
    const side = Math.min(size.x / Math.abs(dx), size.y / Math.abs(dy))
    if (level < side)
      return dz > 0 ? room.ceiling(dx * level, dy * level) : room.floor(dx * level, dy * level)
    const facesX = size.x / Math.abs(dx) <= size.y / Math.abs(dy)
    const along = facesX ? dy * side : dx * side
    const up = dz * side + size.down
    if (facesX) return (dx > 0 ? room.east : room.west)(along, up)
    return (dy > 0 ? room.north : room.south)(along, up)
  }
}

/** A plastered wall with a white skirting, a little darker towards the floor. */
export function plaster(up: number, colour: number): number {
  return up < 0.1 ? 0xffffff : mix(mix(colour, 0x808080, 0.18), colour, Math.min(1, up / 1.6))
}

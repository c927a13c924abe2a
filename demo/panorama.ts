import { BEDROOM } from './bedroom.ts'
import { encodeDrawing } from './png.ts'
import { mix } from './raster.ts'
import { isWithin, type Look, plaster, type Room } from './room.ts'
import { terrace } from './terrace.ts'

/** What is seen from the middle of each room, in the order in which a tour shows them. */
export const ROOMS: readonly [Look, ...Look[]] = [isWithin(livingRoom()), isWithin(BEDROOM), terrace]

/** A room seen from its middle in every direction: an equirectangular PNG of 2048 × 1024. */
export function panorama(number = 0): Uint8Array {
  const look = ROOMS[number] ?? ROOMS[0]
  const width = 2_048
  const height = 1_024
  const pixels = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y += 1) {
    const elevation = (0.5 - (y + 0.5) / height) * Math.PI
    for (let x = 0; x < width; x += 1) {
      const heading = ((x + 0.5) / width) * 2 * Math.PI
      const colour = look(heading, elevation)
      pixels.set([(colour >> 16) & 255, (colour >> 8) & 255, colour & 255, 255], (y * width + x) * 4)
    }
  }
  return encodeDrawing(pixels, width, height)
}

function livingRoom(): Room {
  return {
    size: { x: 3.4, y: 2.6, down: 1.6, up: 1.3 },
    floor,
    ceiling,
    east: balconyWall,
    west: paintedWall,
    north: windowWall,
    south: doorWall,
  }
}

function floor(x: number, y: number): number {
  if (Math.hypot(x / 1.7, y / 1.2) < 1) return Math.hypot(x / 1.5, y / 1.05) < 1 ? 0xb86b4b : 0xe8d9bf
  const plank = Math.floor(y / 0.18)
  const board = Math.floor(x / 1.4 + plank * 0.37)
  const shade = ((plank * 7 + board * 13) % 5) / 12
  const seam = y / 0.18 - plank < 0.05
  return seam ? 0x7a5733 : mix(0xb98a58, 0x9a6c3f, Math.abs(shade))
}

function ceiling(x: number, y: number): number {
  const lamp = Math.hypot(x, y)
  if (lamp < 0.28) return 0xfffbe8
  return mix(0xfaf6ec, 0xdcd8ce, Math.min(1, lamp / 4))
}

function balconyWall(along: number, up: number): number {
  if (Math.abs(along) > 1.7 || up > 2.3) return plaster(up, 0xf2ead9)
  if (Math.abs(along) > 1.62 || up > 2.22 || Math.abs(along % 0.81) < 0.03) return 0xffffff
  if (up < 1 && (up > 0.94 || Math.abs(along % 0.12) < 0.015)) return 0x46505a
  if (up < 1.25) return mix(0x2d7fae, 0x7cc6d6, 1 - up / 1.25)
  return mix(0xd6ecfa, 0x4c97d8, Math.min(1, (up - 1.25) / 1.1))
}

function windowWall(along: number, up: number): number {
  const window = Math.abs(Math.abs(along) - 1.7) < 0.6 && up > 0.95 && up < 2.15
  if (!window) return sofa(along, up) ?? plaster(up, 0xe9e4d4)
  const frame = Math.abs(Math.abs(along) - 1.7) > 0.54 || up < 1.01 || up > 2.09
  if (frame || Math.abs(Math.abs(along) - 1.7) < 0.03) return 0xffffff
  return up < 1.35 ? 0x74936f : mix(0xd6ecfa, 0x5a9fd4, (up - 1.35) / 0.8)
}

function sofa(along: number, up: number): number | undefined {
  if (Math.abs(along) > 0.95 || up > 0.85 || up < 0.08) return undefined
  if (up < 0.42) return Math.abs(along % 0.62) < 0.015 ? 0x2c4d5c : 0x3f6b7d
  return Math.abs(along) > 0.8 && up > 0.6 ? undefined : 0x4d7d90
}

function paintedWall(along: number, up: number): number {
  const height = up - 1.65
  if (Math.abs(along) > 0.8 || Math.abs(height) > 0.5) return plaster(up, 0xcfdcd6)
  if (Math.abs(along) > 0.75 || Math.abs(height) > 0.45) return 0x6b4b2f
  if (Math.hypot(along - 0.3, height - 0.15) < 0.16) return 0xe9b44c
  return height < -0.1 + Math.sin(along * 4) * 0.08 ? 0x2f6ea5 : 0xf3e3c3
}

function doorWall(along: number, up: number): number {
  const inDoor = Math.abs(along + 1.6) < 0.48 && up < 2.12
  if (inDoor) {
    if (Math.abs(along + 1.6) > 0.41 || up > 2.05) return 0xffffff
    return Math.hypot(along + 1.28, up - 1) < 0.04 ? 0xe7c76a : 0x8a5a35
  }
  const inShelf = along > 0.4 && along < 2.2 && up > 0.1 && up < 2
  if (!inShelf) return plaster(up, 0xe9e4d4)
  const shelf = (up - 0.1) % 0.38
  if (shelf < 0.03 || along < 0.44 || along > 2.16) return 0x7a5733
  const book = Math.floor(along / 0.07) + Math.floor((up - 0.1) / 0.38) * 31
  if (shelf > 0.2 + ((book * 7) % 5) * 0.025) return 0xc9b79a
  return [0xa33b3b, 0x2f5f97, 0x3f7d58, 0xe7c76a, 0x6d5b8c, 0xf3e3c3][Math.abs(book * 5) % 6] ?? 0xa33b3b
}

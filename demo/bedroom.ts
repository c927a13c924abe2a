import { mix } from './raster.ts'
import { plaster, type Room } from './room.ts'

const BLUE = 0xc9d6e3

/** A bedroom: a bed under a picture, a wardrobe opposite, a window with curtains. */
export const BEDROOM: Room = {
  size: { x: 2.2, y: 2.8, down: 1.6, up: 1.2 },
  floor: (x, y) => {
    if (Math.abs(x) < 1.1 && y > 0.8) return Math.abs(x % 0.3) < 0.02 ? 0xb9c4cf : 0xe8ebee
    const plank = Math.floor(x / 0.14)
    return x / 0.14 - plank < 0.06 ? 0x8c7355 : mix(0xcdb38b, 0xb89a70, (Math.abs(plank * 7) % 5) / 5)
  },
  ceiling: (x, y) => (Math.hypot(x, y) < 0.22 ? 0xfffbe8 : 0xf4f4f2),
  north: bedWall,
  south: wardrobeWall,
  east: (along, up) => curtainedWindow(along, up) ?? plaster(up, BLUE),
  west: (along, up) => door(along, up) ?? plaster(up, BLUE),
}

function bedWall(along: number, up: number): number {
  if (Math.abs(along) < 1.1 && up < 0.55) return up < 0.3 ? 0x7a5733 : 0xf3f1ec
  if (Math.abs(along) < 1.15 && up < 1.1)
    return Math.abs(Math.abs(along) - 0.5) < 0.35 && up < 0.8 ? 0xffffff : 0x5c6f82
  if (Math.abs(Math.abs(along) - 1.5) < 0.25 && up < 0.5) return 0x8a5a35
  if (Math.hypot(Math.abs(along) - 1.5, up - 0.68) < 0.16) return 0xffe9b0
  if (Math.abs(along) > 0.6 || Math.abs(up - 1.75) > 0.33) return plaster(up, BLUE)
  if (Math.abs(along) > 0.56 || Math.abs(up - 1.75) > 0.29) return 0x2e3a46
  return up < 1.7 + Math.sin(along * 7) * 0.07 ? 0x3f7d58 : 0xf6d9a8
}

function wardrobeWall(along: number, up: number): number {
  if (Math.abs(along) > 1.6 || up > 2.3 || up < 0.08) return plaster(up, BLUE)
  const leaf = Math.abs(along % 0.8)
  if (leaf < 0.012 || leaf > 0.788) return 0x9a8667
  return Math.abs(leaf - 0.1) < 0.02 && Math.abs(up - 1.1) < 0.12 ? 0x4a4a4a : 0xe4d5b7
}

function curtainedWindow(along: number, up: number): number | undefined {
  if (Math.abs(along) > 1.3 || up > 2.35 || up < 0.3) return undefined
  if (Math.abs(along) > 0.75 || up > 2.25) return mix(0xd9a08b, 0xb97a66, Math.abs(Math.sin(along * 26)))
  if (up < 0.9) return plaster(up, BLUE)
  if (Math.abs(along) < 0.03 || Math.abs(along) > 0.7 || up < 0.96) return 0xffffff
  return up < 1.3 ? 0x6f9a6a : mix(0xd6ecfa, 0x5a9fd4, (up - 1.3) / 0.95)
}

function door(along: number, up: number): number | undefined {
  if (Math.abs(along + 1.4) > 0.46 || up > 2.1) return undefined
  if (Math.abs(along + 1.4) > 0.4 || up > 2.04) return 0xffffff
  return Math.hypot(along + 1.08, up - 1) < 0.04 ? 0xe7c76a : 0x8a5a35
}

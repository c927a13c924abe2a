import { mix } from './raster.ts'
import { plaster, ray } from './room.ts'

/** Half the length and width, the height of the eye and of the parapet, in metres. */
const TERRACE = { x: 4.2, y: 3.2, eye: 1.6, parapet: 0.95 }

/** A roof terrace above the sea: tiles and a parapet around, the house in the west, hills behind it. */
export function terrace(heading: number, elevation: number): number {
  const { dx, dy, dz } = ray(heading, elevation)
  const side = Math.min(TERRACE.x / Math.abs(dx), TERRACE.y / Math.abs(dy))
  const up = dz * side + TERRACE.eye
  if (up < 0) return tiles((dx * TERRACE.eye) / -dz, (dy * TERRACE.eye) / -dz)
  const facesWest = dx < 0 && TERRACE.x / Math.abs(dx) <= TERRACE.y / Math.abs(dy)
  if (facesWest && up < 2.7) return house(dy * side, up)
  if (up < TERRACE.parapet) return up > TERRACE.parapet - 0.07 ? 0xffffff : plaster(up, 0xf2ead9)
  return view(heading, elevation)
}

function tiles(x: number, y: number): number {
  if (Math.hypot(x - 2, y) < 0.5) return 0xf3f1ec
  const joint = Math.abs(x % 0.5) < 0.012 || Math.abs(y % 0.5) < 0.012
  if (joint) return 0x9c7a63
  return (Math.floor(x / 0.5) + Math.floor(y / 0.5)) % 2 === 0 ? 0xcf9c7a : 0xc48d6b
}

function house(along: number, up: number): number {
  if (up > 2.55) return 0xb4491f
  const glass = Math.abs(along) < 1.3 && up < 2.2
  if (!glass) return plaster(up, 0xfaf6ec)
  if (Math.abs(along) > 1.22 || up > 2.12 || Math.abs(along) < 0.04) return 0x2d6a8c
  return mix(0x9fc3d4, 0x466b7c, up / 2.2)
}

function view(heading: number, elevation: number): number {
  const inland = -Math.cos(heading)
  const ridge = inland * 0.16 + Math.sin(heading * 5) * 0.025 + Math.sin(heading * 13) * 0.008
  if (elevation < ridge) return mix(0x6d8f5e, 0x9fb3a0, Math.min(1, Math.max(0, elevation / 0.16)))
  if (elevation < 0) return mix(0x7cc6d6, 0x1f6a9a, Math.min(1, -elevation / 0.2))
  const sun = Math.hypot(heading - 0.9, elevation - 0.5)
  if (sun < 0.05) return 0xfffbe0
  return mix(mix(0xe4f2fb, 0x3f8fd6, Math.min(1, elevation / 1.1)), 0xffffff, Math.max(0, 0.4 - sun))
}

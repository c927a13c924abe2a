import type { Perspective } from './view.ts'

/** The size of photos. */
export const WIDTH = 1280
export const HEIGHT = 960

/** A level look, some degrees east of north; `horizon` is the share of the picture above it, `zoom` as a lens. */
export function camera(degrees: number, horizon = 0.42, zoom = 0.62): Perspective {
  const angle = (degrees * Math.PI) / 180
  return {
    width: WIDTH,
    height: HEIGHT,
    focal: WIDTH * zoom,
    horizon: HEIGHT * horizon,
    forward: [Math.sin(angle), Math.cos(angle), 0],
    up: [0, 0, 1],
  }
}

/**
 * JPEGs whose components are neither grey nor Y′CbCr: red, green and blue, CMYK or YCCK. Their rows are put together to
 * RGBA pixels before anything is scaled, as ink cannot be scaled apart from the black on top of it (ITU-T T.872; YCCK as
 * in its section 6.5.3). What inks look like the table of the host says.
 */

import { allocate, VECTOR_SLACK } from './arena'
import { NEUTRAL } from './colour'
import { Failure, fail } from './failure'
import { convertInks, hasInkTable } from './ink-table'
import { Components, Frame } from './jpeg-frame'
import { pushRgba } from './rgba'

/** One row of each component, as wide as the picture, and one of pixels. */
const ROWS: usize = memory.data(4 * 4, 4)
let rgba: usize = 0
let width: i32 = 0

/** Makes room for rows of `pictureWidth` pixels. */
export function startColours(frame: Frame, pictureWidth: i32): void {
  // Only if the host saw another frame than this one.
  if (frame.count === 4 && !hasInkTable()) fail(Failure.Damaged)
  width = pictureWidth
  rgba = allocate(usize(width) * 4 + VECTOR_SLACK)
  for (let i = 0; i < frame.count; i++) store<usize>(ROWS + i * 4, allocate(width))
}

/** Hands on the pixels of row `y` of the bands, counted in rows of the picture. */
export function pushColours(frame: Frame, components: Components, y: i32): void {
  for (let i = 0; i < frame.count; i++) {
    const plane = frame.plane(i)
    const source = plane.band + ((y * plane.v) / frame.maxV) * plane.bandStride
    const target = load<usize>(ROWS + i * 4)
    if (plane.h === frame.maxH) memory.copy(target, source, width)
    else for (let x = 0; x < width; x++) store<u8>(target + x, load<u8>(source + (x * plane.h) / frame.maxH))
  }
  if (components === Components.Ycck) convertYcc()
  if (frame.count === 4) convertInks(ROWS, width, rgba)
  else putTogether()
  pushRgba(rgba, true)
}

/** Makes pixels of the rows by themselves. */
function putTogether(): void {
  const red = load<usize>(ROWS)
  const green = load<usize>(ROWS, 4)
  const blue = load<usize>(ROWS, 8)
  for (let x = 0; x < width; x++) {
    const pixel = u32(load<u8>(red + x)) | (u32(load<u8>(green + x)) << 8) | (u32(load<u8>(blue + x)) << 16)
    store<u32>(rgba + x * 4, pixel | 0xff000000)
  }
}

/** Makes cyan, magenta and yellow of Y′CbCr, in place: they are the negative of its red, green and blue. */
function convertYcc(): void {
  const first = load<usize>(ROWS)
  const second = load<usize>(ROWS, 4)
  const third = load<usize>(ROWS, 8)
  for (let x = 0; x < width; x++) {
    const luma = f32(load<u8>(first + x))
    const blue = f32(i32(load<u8>(second + x)) - NEUTRAL)
    const red = f32(i32(load<u8>(third + x)) - NEUTRAL)
    store<u8>(first + x, rounded(luma + f32(1.402) * red) ^ 255)
    store<u8>(second + x, rounded(luma - f32(0.344136286) * blue - f32(0.714136286) * red) ^ 255)
    store<u8>(third + x, rounded(luma + f32(1.772) * blue) ^ 255)
  }
}

function rounded(value: f32): u8 {
  return u8(i32(max<f32>(0, min<f32>(255, nearest(value)))))
}

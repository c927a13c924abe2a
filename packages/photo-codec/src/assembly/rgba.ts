/**
 * Pictures that come as rows of RGBA pixels, four bytes each: laid on white (or, for a watermark, multiplied by
 * alpha), converted to Y′CbCr and handed to the copies' resamplers.
 */

import { allocate, VECTOR_SLACK } from './arena'
import { ColourModel, convertRgba, flatten, planeCount, premultiply } from './colour'
import { drainCopies, prepareCopies, pushRow, scalePlane } from './copies'

let model: ColourModel = ColourModel.Ycc
let width: i32 = 0
/** One row of each plane. */
const ROWS: usize = memory.data(4 * 4, 4)

/** Sets the copies up for a picture of this size. `keepsAlpha`: the picture is a watermark. */
export function startRgba(pictureWidth: i32, height: i32, keepsAlpha: bool): void {
  startRgbaPart(pictureWidth, height, f64(pictureWidth), f64(height), keepsAlpha)
}

/** The same for a picture that ends within its last pixels: it is `exactWidth` × `exactHeight` of them. */
export function startRgbaPart(
  pictureWidth: i32,
  height: i32,
  exactWidth: f64,
  exactHeight: f64,
  keepsAlpha: bool,
): void {
  model = keepsAlpha ? ColourModel.Watermark : ColourModel.Ycc
  width = pictureWidth
  prepareCopies(model)
  for (let i = 0; i < planeCount(model); i++) {
    const reach = scalePlane(i, width, height, exactWidth, exactHeight)
    store<usize>(ROWS + i * 4, allocate(usize(width) + reach + VECTOR_SLACK * 2))
  }
}

/** Takes the next row, which is changed; VECTOR_SLACK bytes after it are read. */
export function pushRgba(rgba: usize, isOpaque: bool): void {
  const luma = load<usize>(ROWS)
  const blue = load<usize>(ROWS, 4)
  const red = load<usize>(ROWS, 8)
  if (!isOpaque && model === ColourModel.Ycc) flatten(rgba, width)
  convertRgba(rgba, width, luma, blue, red)
  if (model === ColourModel.Watermark) premultiply(rgba, width, luma, blue, red, load<usize>(ROWS, 12))
  for (let i = 0; i < planeCount(model); i++) pushRow(i, load<usize>(ROWS + i * 4))
  drainCopies()
}

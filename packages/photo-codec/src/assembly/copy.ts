/**
 * One requested copy of a photo. It has a resampler for every plane of the photo; what comes out of them waits in
 * rings of rows until a row of MCUs is complete, then goes through
 *
 *     turning upright → padding to whole MCUs → encoder
 *                                             → watermark → second encoder
 *                                             or → planes of a watermark
 *                                             or → RGBA pixels
 *
 * A copy that has to be turned is kept whole until the last row is there.
 */

import { allocate, create, VECTOR_SLACK } from './arena'
import { ColourModel, isHalved, NEUTRAL, planeCount } from './colour'
import { CopyPlane, isMirroredAcross, isMirroredDown, isTransposed, turnRows } from './copy-plane'
import { Failure, fail } from './failure'
import { findFilter } from './filter'
import { BLOCK_SIZE, Encoder, MCU_SIZE, McuRow } from './jpeg-encode'
import { paddedWidth, padRows } from './padding'
import { Raster } from './raster'
import { Resampler } from './resample'
import { Stamp } from './stamp'

const MAX_PLANES: i32 = 4

/**
 * Rows of a plane that may wait for the other planes: see `drain`. A multiple of MCU_SIZE. A row of MCUs brings at most
 * 32 rows at once, 16 wait until their MCUs are full, and chroma lags behind by 3 rows of its source, which are up to 4
 * times as far apart.
 */
const RING_ROWS: i32 = 128

/** One picture that is made of the photo. */
@unmanaged
export class Copy {
  /** Size as stored, before it is turned. */
  width: i32
  height: i32
  orientation: i32
  /** Whether width and height are scaled alike, see `keepRatio`. */
  private keepsRatio: bool
  /** Size when it stands upright. */
  uprightWidth: i32
  uprightHeight: i32
  encoder: Encoder | null
  /** Encodes the copy with the watermark on it. */
  markedEncoder: Encoder | null
  stamp: Stamp | null
  /** Receives the picture where it is to be a watermark itself. */
  collected: Stamp | null
  /** Receives the pixels of a copy that is not to be a JPEG. */
  raster: Raster | null
  private model: ColourModel
  private planes: usize
  private mcuRow: i32
  private row: McuRow

  static create(width: i32, height: i32, orientation: i32): Copy {
    const copy = create<Copy>()
    copy.width = width
    copy.height = height
    copy.orientation = orientation
    copy.uprightWidth = isTransposed(orientation) ? height : width
    copy.uprightHeight = isTransposed(orientation) ? width : height
    copy.row = create<McuRow>()
    return copy
  }

  plane(index: i32): CopyPlane {
    return changetype<CopyPlane>(this.planes + index * offsetof<CopyPlane>())
  }

  /**
   * Scales the upright height by the factor of the width, though the height is rounded to whole pixels: what is left at the
   * upper and lower edge is cut off or repeated, less than a quarter of a pixel each. Without it the picture is stretched to
   * fill the size.
   */
  keepRatio(): void {
    this.keepsRatio = true
  }

  /** Makes room for the planes of a colour model. */
  prepare(model: ColourModel): void {
    this.model = model
    this.planes = allocate(MAX_PLANES * offsetof<CopyPlane>())
    for (let i = 0; i < planeCount(model); i++) this.preparePlane(i)
    if (model !== ColourModel.Grey) return
    const row = this.row
    row.chromaStride = paddedWidth(this.uprightWidth) >> 1
    row.blue = allocate(row.chromaStride * BLOCK_SIZE + VECTOR_SLACK)
    row.red = allocate(row.chromaStride * BLOCK_SIZE + VECTOR_SLACK)
  }

  private preparePlane(index: i32): void {
    const plane = this.plane(index)
    const halved = isHalved(this.model, index)
    plane.width = halved ? (this.width + 1) >> 1 : this.width
    plane.height = halved ? (this.height + 1) >> 1 : this.height
    plane.rowsPerMcu = halved ? BLOCK_SIZE : MCU_SIZE
    plane.isMirroredAcross = isMirroredAcross(this.orientation)
    plane.isMirroredDown = isMirroredDown(this.orientation)
    plane.paddedWidth = halved ? paddedWidth(this.uprightWidth) >> 1 : paddedWidth(this.uprightWidth)
    plane.rowsStride = plane.paddedWidth + VECTOR_SLACK
    const isWhole = this.orientation > 1
    plane.ringStride = isWhole ? plane.width + VECTOR_SLACK : plane.rowsStride
    plane.ringRows = isWhole ? plane.height : RING_ROWS
    plane.ring = allocate(usize(plane.ringRows) * plane.ringStride + VECTOR_SLACK)
    if (isWhole) plane.rows = allocate(plane.rowsStride * plane.rowsPerMcu + VECTOR_SLACK)
  }

  /**
   * Sets up scaling of a plane that has `width` × `height` samples; `exactWidth` × `exactHeight` of them are the whole
   * picture, which may end within a sample. Returns how many bytes after a row will be read.
   */
  scalePlane(index: i32, width: i32, height: i32, exactWidth: f64, exactHeight: f64): i32 {
    const plane = this.plane(index)
    const part: f64 = isHalved(this.model, index) ? 2 : 1
    let scaleX = (exactWidth * part) / f64(this.width)
    let scaleY = (exactHeight * part) / f64(this.height)
    let shiftX = this.chromaShift(index, this.width, plane.isMirroredAcross)
    let shiftY = this.chromaShift(index, this.height, plane.isMirroredDown)
    if (this.keepsRatio && isTransposed(this.orientation)) {
      shiftX += centring(scaleX, scaleY, this.width, part)
      scaleX = scaleY
    } else if (this.keepsRatio) {
      shiftY += centring(scaleY, scaleX, this.height, part)
      scaleY = scaleX
    }
    const horizontal = findFilter(width, plane.width, scaleX, shiftX)
    const vertical = findFilter(height, plane.height, scaleY, shiftY)
    plane.resampler = Resampler.create(horizontal, vertical)
    plane.resampler.writeTo(plane.ring, plane.ringStride, plane.ringRows)
    plane.reach = horizontal.reach
    return plane.reach
  }

  /**
   * Halved chroma lies between pixels 0 and 1, 2 and 3 … of the upright picture. Where an odd number of pixels is
   * mirrored, those are not the same pairs as in the stored one, but one pixel off.
   */
  private chromaShift(index: i32, length: i32, isMirrored: bool): f64 {
    return isHalved(this.model, index) && isMirrored && (length & 1) === 1 ? -0.5 : 0
  }

  /** Encodes what is complete. Between two calls no plane may get ahead of another by more than RING_ROWS. */
  drain(): void {
    if (this.orientation > 1) return
    while (this.mcuRow * MCU_SIZE < this.height && this.isRowComplete()) this.emitRow()
  }

  /** Encodes the rest; refuses a picture of which rows are missing. */
  finish(): void {
    for (let i = 0; i < planeCount(this.model); i++) {
      if (this.plane(i).resampler.produced < this.plane(i).height) fail(Failure.Truncated)
    }
    while (this.mcuRow * MCU_SIZE < this.uprightHeight) this.emitRow()
  }

  private isRowComplete(): bool {
    let isComplete = true
    for (let i = 0; i < planeCount(this.model); i++) {
      const plane = this.plane(i)
      const waiting = plane.resampler.produced - this.mcuRow * plane.rowsPerMcu
      // Never happens; if it did, rows would have been overwritten.
      if (waiting > plane.ringRows) unreachable()
      if (waiting < min(plane.rowsPerMcu, plane.height - this.mcuRow * plane.rowsPerMcu)) isComplete = false
    }
    return isComplete
  }

  private emitRow(): void {
    for (let i = 0; i < planeCount(this.model); i++) this.fetchRows(this.plane(i))
    if (this.model === ColourModel.Watermark) this.collectPlanes()
    else {
      this.pointAtRows()
      this.encode()
    }
    this.mcuRow += 1
  }

  /** Points `rows` at the upright rows of the current MCU row and pads them to whole MCUs. */
  private fetchRows(plane: CopyPlane): void {
    const from = this.mcuRow * plane.rowsPerMcu
    const transposed = isTransposed(this.orientation)
    const width = transposed ? plane.height : plane.width
    const height = transposed ? plane.width : plane.height
    const to = min(from + plane.rowsPerMcu, height)
    if (this.orientation > 1) {
      turnRows(plane, this.orientation, from, to)
    } else {
      plane.rows = plane.ring + usize(from % plane.ringRows) * plane.ringStride
    }
    padRows(plane.rows, plane.rowsStride, width, plane.paddedWidth, to - from, plane.rowsPerMcu)
  }

  private pointAtRows(): void {
    const row = this.row
    row.luma = this.plane(0).rows
    row.lumaStride = this.plane(0).rowsStride
    if (this.model === ColourModel.Grey) {
      // Anew for each row: a watermark leaves its colour there.
      memory.fill(row.blue, u8(NEUTRAL), row.chromaStride * BLOCK_SIZE)
      memory.fill(row.red, u8(NEUTRAL), row.chromaStride * BLOCK_SIZE)
      return
    }
    row.blue = this.plane(1).rows
    row.red = this.plane(2).rows
    row.chromaStride = this.plane(1).rowsStride
  }

  private encode(): void {
    const from = this.mcuRow * MCU_SIZE
    const to = min(from + MCU_SIZE, this.uprightHeight)
    const encoder = this.encoder
    const marked = this.markedEncoder
    const stamp = this.stamp
    const collected = this.collected
    const raster = this.raster
    if (encoder !== null && marked !== null && stamp !== null) {
      this.encodeBoth(encoder, marked, stamp, from, to)
    } else if (encoder !== null) encoder.push(this.row)
    if (collected !== null) this.collectOpaque(collected, from, to)
    if (raster !== null) raster.put(this.row, from, to)
  }

  /** Above and below the watermark the two pictures are the same. */
  private encodeBoth(encoder: Encoder, marked: Encoder, stamp: Stamp, from: i32, to: i32): void {
    if (!stamp.reaches(from, to) && marked.continuesLike(encoder)) {
      encoder.pushForBoth(marked, this.row)
      return
    }
    encoder.push(this.row)
    stamp.blend(this.row, from, to)
    marked.push(this.row)
  }

  /** Copies the rows of a picture with alpha into the planes of a watermark. */
  private collectPlanes(): void {
    const stamp = this.collected
    if (stamp === null) return
    const from = this.mcuRow * MCU_SIZE
    const samples = usize(stamp.width) * stamp.height
    for (let y = from; y < min(from + MCU_SIZE, stamp.height); y++) {
      for (let i = 0; i < MAX_PLANES; i++) {
        const row = this.plane(i).rows + (y - from) * this.plane(i).rowsStride
        memory.copy(stamp.luma + usize(i) * samples + usize(y) * stamp.width, row, stamp.width)
      }
    }
  }

  /** Copies the rows of a picture without alpha into the planes of a watermark. */
  private collectOpaque(stamp: Stamp, from: i32, to: i32): void {
    const row = this.row
    for (let y = from; y < to; y++) {
      const offset = usize(y) * stamp.width
      memory.copy(stamp.luma + offset, row.luma + (y - from) * row.lumaStride, stamp.width)
      memory.fill(stamp.alpha + offset, 255, stamp.width)
      const chroma = ((y - from) >> 1) * row.chromaStride
      for (let x = 0; x < stamp.width; x++) {
        store<u8>(stamp.blue + offset + x, load<u8>(row.blue + chroma + (x >> 1)))
        store<u8>(stamp.red + offset + x, load<u8>(row.red + chroma + (x >> 1)))
      }
    }
  }
}

/**
 * How far the samples of a plane are to be moved, in their own width, so that `length` pixels of a copy that are scaled by
 * `kept` lie in the middle of what they would fill by `filling`. `part`: pixels for each sample of the plane.
 */
function centring(filling: f64, kept: f64, length: i32, part: f64): f64 {
  return ((filling - kept) * f64(length)) / (2 * part * kept)
}

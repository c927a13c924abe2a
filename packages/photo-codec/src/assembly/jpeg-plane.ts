/**
 * One component of a JPEG frame: its share of the block grid, how much of each block is kept, and the band of samples
 * that the inverse transform fills.
 *
 * Blocks are not transformed to 8 × 8 samples but to n × n (n = `points`), with n just large enough for the copy that
 * is wanted: the n × n lowest frequencies are all that is dequantised, transformed and, in a progressive file, kept.
 * Only of *cut* blocks, those which are shrunk and picture in part, all frequencies are needed; see `jpeg-padding.ts`.
 */

import { allocate, VECTOR_SLACK } from './arena'
import { basisOf } from './cosines'
import { BLOCK, BLOCK_STRIDE, SPARE, transformBlock } from './inverse-dct'
import { replacePadding } from './jpeg-padding'
import { zigzagColumn, zigzagRow } from './zigzag'

/** What has been sent of a coefficient before its first scan. */
export const NOTHING: i8 = -1

const WHOLE_BLOCK_BYTES: i32 = 64 * 2

@unmanaged
export class Plane {
  id: i32
  /** Sampling factors 1–4. */
  h: i32
  v: i32
  quantiserId: i32
  /** Size in samples, before scaling. */
  width: i32
  height: i32
  /** Blocks that hold picture. */
  blocksWide: i32
  blocksHigh: i32
  /** Blocks with the filling up to whole MCUs. */
  paddedWide: i32
  paddedHigh: i32

  /** Samples that a block keeps in each direction. */
  points: i32
  /** The column and the row of cut blocks; -1: none. */
  private cutColumn: i32
  private cutRow: i32
  /** Size in samples, after scaling. */
  scaledWidth: i32
  scaledHeight: i32
  /** Number of the last coefficient, in zigzag order, that is kept. */
  lastKept: i32
  /** By zigzag number: where the coefficient goes in BLOCK, as a byte offset of 32 bits. */
  places: usize
  /** The same for a cut block. */
  cutPlaces: usize
  /** By zigzag number: its quantiser as a 32-bit float. */
  scales: usize
  /** The quantisers in the layout of BLOCK. */
  private blockScales: usize
  /** By zigzag number: how many rows and columns of BLOCK the coefficients up to it can reach; two bytes each. */
  extents: usize
  private basis: usize

  /** One row of MCUs in samples. */
  band: usize
  bandStride: i32

  /** points × points coefficients of 16 bits for every block, where the whole picture has to be kept. */
  coefficients: usize
  /** 64 coefficients of 16 bits for every cut block: first those of the row, then those of the column. */
  private cutCoefficients: usize
  /** For every block, a bit for each of the 64 coefficients that is not zero; none where only DC is kept of all blocks. */
  histories: usize
  /** By zigzag number: the lowest bit that was sent, or NOTHING. */
  progress: usize

  /** Decides on n × n samples per block and makes room for a row of MCUs. `reach`: what readers touch after it. */
  prepare(points: i32, reach: i32): void {
    this.points = points
    this.basis = basisOf(points)
    this.cutColumn = points < 8 && (this.width & 7) !== 0 ? this.blocksWide - 1 : -1
    this.cutRow = points < 8 && (this.height & 7) !== 0 ? this.blocksHigh - 1 : -1
    this.scaledWidth = (this.width * points + 7) >> 3
    this.scaledHeight = (this.height * points + 7) >> 3
    this.bandStride = this.paddedWide * points + VECTOR_SLACK
    this.band = allocate(this.bandStride * this.v * points + reach + VECTOR_SLACK)
    this.progress = allocate(64)
    memory.fill(this.progress, u8(NOTHING), 64)
  }

  /** Makes room for the kept coefficients of the whole picture. */
  keepCoefficients(): void {
    const blocks = usize(this.paddedWide) * this.paddedHigh
    this.coefficients = allocate(blocks * this.blockBytes + VECTOR_SLACK)
    if (this.hasCutBlocks) this.cutCoefficients = allocate(this.cutBytes)
    if (!this.isConstant) this.histories = allocate(blocks * 8)
  }

  /** Whether a block is shrunk and picture in part. */
  isCut(column: i32, row: i32): bool {
    return column === this.cutColumn || row === this.cutRow
  }

  private get hasCutBlocks(): bool {
    return this.cutColumn >= 0 || this.cutRow >= 0
  }

  /** Whether all that is needed are constant coefficients. */
  get isConstant(): bool {
    return this.points === 1 && !this.hasCutBlocks
  }

  /** Bytes that the coefficients of all cut blocks take, if there are any. */
  get cutBytes(): i32 {
    return (this.paddedWide + this.paddedHigh) * WHOLE_BLOCK_BYTES
  }

  /** The 64 coefficients of a cut block. */
  cutBlock(column: i32, row: i32): usize {
    const index = row === this.cutRow ? column : this.paddedWide + row
    return this.cutCoefficients + index * WHOLE_BLOCK_BYTES
  }

  /** Bytes that a block's kept coefficients take. */
  get blockBytes(): i32 {
    return this.points * this.points * 2
  }

  /** Takes the quantisers that are valid at the component's first scan: 64 of 16 bits, row by row. */
  setQuantisers(quantisers: usize): void {
    if (this.scales !== 0) return
    this.scales = allocate(64 * 4)
    this.places = allocate(64 * 4)
    this.cutPlaces = allocate(64 * 4)
    this.blockScales = allocate(8 * BLOCK_STRIDE)
    this.extents = allocate(64 * 2)
    let rows = 1
    let columns = 1
    for (let k = 0; k < 64; k++) {
      const row = zigzagRow(k)
      const column = zigzagColumn(k)
      const quantiser = f32(load<u16>(quantisers + (row * 8 + column) * 2))
      const isKept = row < this.points && column < this.points
      const place = row * BLOCK_STRIDE + column * 4
      store<i32>(this.places + k * 4, isKept ? place : SPARE)
      store<i32>(this.cutPlaces + k * 4, place)
      store<f32>(this.scales + k * 4, quantiser)
      store<f32>(this.blockScales + place, quantiser)
      if (isKept) {
        this.lastKept = k
        rows = max(rows, row + 1)
        columns = max(columns, column + 1)
      }
      store<u8>(this.extents + k * 2, u8(rows))
      store<u8>(this.extents + k * 2, u8(columns), 1)
    }
  }

  /** Transforms what is in BLOCK; its coefficients end at zigzag number `last`. `row` counts within the band. */
  writeBlock(last: i32, column: i32, row: i32): void {
    const extent = this.extents + last * 2
    this.transform(i32(load<u8>(extent)), i32(load<u8>(extent, 1)), column, row)
  }

  /** Transforms the cut block in BLOCK. `row` counts within the band, `inPicture` within the picture. */
  writeCutBlock(column: i32, row: i32, inPicture: i32): void {
    const rows = inPicture === this.cutRow ? this.height - inPicture * 8 : 8
    const columns = column === this.cutColumn ? this.width - column * 8 : 8
    replacePadding(this.points, rows, columns)
    this.transform(this.points, this.points, column, row)
  }

  /** Transforms a row of kept blocks; `row` counts within the band, `inPicture` within the picture. */
  writeStoredBlocks(row: i32, inPicture: i32): void {
    const bytes = this.blockBytes
    let block = this.coefficients + usize(inPicture) * this.paddedWide * bytes
    for (let column = 0; column < this.blocksWide; column++, block += bytes) {
      if (this.isCut(column, inPicture)) {
        this.loadBlock(this.cutBlock(column, inPicture), 8)
        this.writeCutBlock(column, row, inPicture)
        continue
      }
      const extent = this.loadBlock(block, this.points)
      this.transform(extent >> 8, extent & 0xff, column, row)
    }
  }

  /**
   * Dequantises the n × n coefficients (n = `points`) of a block into BLOCK. Returns the rows and columns that are not all
   * zero: rows << 8 | columns.
   */
  private loadBlock(block: usize, points: i32): i32 {
    const rowBytes = points * 2
    const zero = i16x8.splat(0)
    let union = zero
    let rows = 1
    for (let row = 0; row < points; row++) {
      // Reads on into the next row: those columns are never read.
      const packed = v128.load(block + row * rowBytes)
      const place = row * BLOCK_STRIDE
      union = v128.or(union, packed)
      if (v128.any_true(packed)) rows = row + 1
      const scales = this.blockScales + place
      const low = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(packed))
      v128.store(BLOCK + place, f32x4.mul(low, v128.load(scales)))
      if (points > 4) {
        const high = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(packed))
        v128.store(BLOCK + place, f32x4.mul(high, v128.load(scales, 16)), 16)
      }
    }
    const filled = i16x8.bitmask(i16x8.ne(union, zero)) & ((1 << points) - 1)
    return (rows << 8) | max(1, 32 - i32(clz(filled)))
  }

  private transform(rows: i32, columns: i32, column: i32, row: i32): void {
    const points = this.points
    const place = this.band + (row * this.bandStride + column) * points
    transformBlock(this.basis, points, rows, columns, place, this.bandStride)
  }
}

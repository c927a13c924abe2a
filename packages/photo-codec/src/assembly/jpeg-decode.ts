/**
 * Decodes a JPEG into the copies: reads its markers, decides how much of each block is needed, and hands rows of
 * samples to the copies' resamplers. Stricter than browsers: a truncated file or a damaged picture is refused. Stray bytes
 * that cameras and programs leave between the parts of a file are accepted.
 *
 * A sequential file with all components in one scan (nearly every photo) streams: a row of MCUs is all that is kept.
 * Anything else keeps the needed coefficients of the whole picture.
 */

import { create } from './arena'
import { ColourModel } from './colour'
import { drainCopies, finishCopies, prepareCopies, pushRow, scalePlane } from './copies'
import { Failure, fail } from './failure'
import { pushColours, startColours } from './jpeg-colour'
import { Components, Frame, isScaledApart, Tables } from './jpeg-frame'
import { bigEndian16, EOI, findMarker, isFrameMarker, SOI, SOS, standsAlone } from './jpeg-markers'
import { NOTHING, Plane } from './jpeg-plane'
import { marginFor, pointsFor } from './jpeg-points'
import { decodeStoredScan } from './jpeg-progressive'
import { Scan } from './jpeg-scan'
import { decodeMcuRow, finishSequential, prepareSequential } from './jpeg-sequential'
import { startRgbaPart } from './rgba'

/** Cameras and encoders write 1 to 12 scans; a thousand would keep the processor busy for seconds. */
const MAX_SCANS: i32 = 32
/** Most pixels of a photo whose coefficients have to be kept. */
const MAX_STORED_PIXELS: i32 = 64_000_000
/** A file on its way. */
@unmanaged
class Decoding {
  frame: Frame | null
  tables: Tables
  isPrepared: bool
  components: Components
  /** Whether all coefficients are kept. */
  isStored: bool
  scans: i32
}

/** Decodes the file of `length` bytes at `file`; refuses one whose frame is not `width` × `height` pixels. */
export function decodeJpeg(file: usize, length: usize, width: i32, height: i32): void {
  const end = file + length
  const decoding = create<Decoding>()
  decoding.tables = create<Tables>()
  let at = file + 2
  for (;;) {
    at = findMarker(at, end)
    const marker = i32(load<u8>(at, 1))
    if (marker === EOI) break
    if (standsAlone(marker)) {
      at += 2
      continue
    }
    // Another file begins inside of this one: what has led here was no segment.
    if (marker === SOI) fail(Failure.Damaged)
    if (at + 4 > end) fail(Failure.Truncated)
    const body = at + 4
    const next = at + 2 + bigEndian16(at + 2)
    if (next > end) fail(Failure.Truncated)
    if (next < body) fail(Failure.Damaged)
    at = next
    if (marker === SOS) {
      at = decodeScan(decoding, body, next, end)
      // What lies after the picture does not count, nor that nothing does.
      if (isWhole(decoding)) break
    } else if (isFrameMarker(marker)) startFrame(decoding, marker, body, next, width, height)
    else decoding.tables.read(marker, body, next)
  }
  finishPicture(decoding)
  finishCopies()
}

function startFrame(decoding: Decoding, marker: i32, body: usize, end: usize, width: i32, height: i32): void {
  if (decoding.frame !== null) fail(Failure.Damaged)
  const frame = Frame.read(marker, body, end)
  if (frame.width !== width || frame.height !== height) fail(Failure.Damaged)
  decoding.frame = frame
}

/** Decodes a scan. Returns the address of the marker after it. */
function decodeScan(decoding: Decoding, body: usize, data: usize, end: usize): usize {
  const frame = decoding.frame
  if (frame === null) {
    fail(Failure.Damaged)
    return end
  }
  decoding.scans += 1
  if (decoding.scans > MAX_SCANS) fail(Failure.Unsupported)
  const scan = Scan.read(body, data, frame, decoding.tables)
  if (!decoding.isPrepared) {
    if (frame.isProgressive && countScans(data, end) >= MAX_SCANS) fail(Failure.Unsupported)
    decoding.isStored = frame.isProgressive || scan.count < frame.count
    prepare(decoding, frame)
  }
  for (let i = 0; i < scan.count; i++) {
    const plane = scan.part(i).plane
    plane.setQuantisers(decoding.tables.quantisers(plane.quantiserId))
    noteProgress(plane, scan)
  }
  const next = scan.openData(data, end, frame)
  // Where only DC coefficients are needed, the others need not be read.
  if (scan.first > 0 && scan.part(0).plane.isConstant) {
    if (!scan.isEnded) fail(Failure.Truncated)
    return next
  }
  if (decoding.isStored) decodeStoredScan(scan, frame)
  else {
    prepareSequential(scan)
    for (let row = 0; row < scan.mcusHigh; row++) {
      decodeMcuRow(scan, row)
      pushMcuRow(decoding, frame, row)
    }
    finishSequential(scan)
  }
  return next
}

/** Scans in the rest of the file, this one not counted. */
function countScans(at: usize, end: usize): i32 {
  let count = 0
  const marks = i8x16.splat(-1)
  for (; at + 1 < end; at++) {
    while (at + 16 <= end && !v128.any_true(i8x16.eq(v128.load(at), marks))) at += 16
    if (at + 1 < end && load<u8>(at) === 0xff && i32(load<u8>(at, 1)) === SOS) count += 1
  }
  return count
}

/** Decides how much of each plane is needed and sets up the way from there to the copies. */
function prepare(decoding: Decoding, frame: Frame): void {
  const components = frame.components(decoding.tables)
  decoding.components = components
  decoding.isPrepared = true
  if (decoding.isStored && frame.width > MAX_STORED_PIXELS / frame.height) fail(Failure.TooLarge)
  const margin = marginFor(frame, components, decoding.isStored)
  if (isScaledApart(components)) preparePlanes(frame, components, margin)
  else prepareColours(frame, components, margin)
  for (let i = 0; decoding.isStored && i < frame.count; i++) frame.plane(i).keepCoefficients()
}

function preparePlanes(frame: Frame, components: Components, margin: f64): void {
  prepareCopies(components === Components.Grey ? ColourModel.Grey : ColourModel.Ycc)
  for (let i = 0; i < frame.count; i++) {
    const plane = frame.plane(i)
    const points = pointsFor(frame, components, i, margin)
    const exactWidth = (f64(frame.width) * f64(plane.h) * f64(points)) / f64(8 * frame.maxH)
    const exactHeight = (f64(frame.height) * f64(plane.v) * f64(points)) / f64(8 * frame.maxV)
    const width = (plane.width * points + 7) >> 3
    const height = (plane.height * points + 7) >> 3
    plane.prepare(points, scalePlane(i, width, height, exactWidth, exactHeight))
  }
}

function prepareColours(frame: Frame, components: Components, margin: f64): void {
  const points = pointsFor(frame, components, 0, margin)
  const width = (frame.width * points + 7) >> 3
  const height = (frame.height * points + 7) >> 3
  for (let i = 0; i < frame.count; i++) frame.plane(i).prepare(points, 0)
  startColours(frame, width)
  startRgbaPart(width, height, f64(frame.width * points) / 8, f64(frame.height * points) / 8, false)
}

/** Each scan must carry on where the one before stopped; a coefficient's first scan comes before its refinements. */
function noteProgress(plane: Plane, scan: Scan): void {
  for (let k = scan.first; k <= scan.last; k++) {
    const before = load<i8>(plane.progress + k)
    const follows =
      scan.high === 0 ? before === NOTHING : i32(before) === scan.high && scan.low === scan.high - 1
    if (!follows) fail(Failure.Damaged)
    store<i8>(plane.progress + k, i8(scan.low))
  }
}

/** Hands the bands of all planes to the copies. */
function pushMcuRow(decoding: Decoding, frame: Frame, mcuRow: i32): void {
  if (!isScaledApart(decoding.components)) {
    const points = frame.plane(0).points
    const height = (frame.height * points + 7) >> 3
    const from = mcuRow * frame.maxV * points
    for (let y = from; y < min(height, from + frame.maxV * points); y++) {
      pushColours(frame, decoding.components, y - from)
    }
    return
  }
  for (let i = 0; i < frame.count; i++) {
    const plane = frame.plane(i)
    const from = mcuRow * plane.v * plane.points
    const rows = min(plane.v * plane.points, plane.scaledHeight - from)
    for (let y = 0; y < rows; y++) pushRow(i, plane.band + y * plane.bandStride)
  }
  drainCopies()
}

/**
 * Whether every coefficient was sent to its last bit. The standard would let an encoder leave some out, but none does:
 * where some are missing, the file was cut between two scans.
 */
function isWhole(decoding: Decoding): bool {
  const frame = decoding.frame
  if (frame === null || !decoding.isPrepared) return false
  for (let i = 0; i < frame.count; i++) {
    for (let k = 0; k < 64; k++) if (load<i8>(frame.plane(i).progress + k) !== 0) return false
  }
  return true
}

function finishPicture(decoding: Decoding): void {
  const frame = decoding.frame
  if (frame === null || !isWhole(decoding)) {
    fail(Failure.Truncated)
    return
  }
  if (!decoding.isStored) return
  for (let row = 0; row < frame.mcusHigh; row++) {
    for (let i = 0; i < frame.count; i++) {
      const plane = frame.plane(i)
      const rows = min(plane.v, plane.blocksHigh - row * plane.v)
      for (let y = 0; y < rows; y++) plane.writeStoredBlocks(y, row * plane.v + y)
    }
    pushMcuRow(decoding, frame, row)
  }
}

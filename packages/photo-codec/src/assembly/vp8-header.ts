/** The header of a VP8 key frame (RFC 6386 sections 9 and 19.2). */

import { allocate, allocateList, create, objectAt, putObject } from './arena'
import { Failure, fail } from './failure'
import { BoolReader } from './vp8-bits'
import {
  AC_QUANTISERS,
  COEFFICIENT_PROBABILITIES,
  DC_QUANTISERS,
  DEFAULT_PROBABILITIES,
  UPDATE_PROBABILITIES,
} from './vp8-tables'

const SEGMENTS: i32 = 4
const FRAME_HEADER_BYTES: usize = 10
const START_CODE: u32 = 0x2a019d
const MAX_LEVEL: i32 = 63

/** Factors of one segment for DC and AC: luma, Y2 (the DC coefficients of luma as a block), chroma. */
@unmanaged
export class Quantisers {
  lumaDc: i32
  lumaAc: i32
  y2Dc: i32
  y2Ac: i32
  chromaDc: i32
  chromaAc: i32
}

/** How strongly the edges of a macroblock are smoothed. */
@unmanaged
export class FilterStrength {
  /** 0: not at all. */
  limit: u8
  interior: u8
  highVariance: u8
}

@unmanaged
export class Vp8Header {
  width: i32
  height: i32
  /** Where modes are read from, and the readers of coefficients, of which each takes every n-th row. */
  modes: BoolReader
  private partitions: usize
  private partitionCount: i32
  hasSegments: bool
  hasSegmentMap: bool
  private areAbsolute: bool
  private segmentQuantisers: usize
  private segmentLevels: usize
  /** Three probabilities of the tree of segments. */
  segmentProbabilities: usize
  isFiltered: bool
  isSimple: bool
  private level: i32
  private sharpness: i32
  private referenceDelta: i32
  private modeDelta: i32
  private quantisers: usize
  private strengths: usize
  /** COEFFICIENT_PROBABILITIES bytes. */
  probabilities: usize
  /** How probable it is that a macroblock has coefficients; 0 where none is told apart. */
  coefficientsProbability: i32

  /** Reads the header of a frame. Refuses anything but a key frame with all of its parts. */
  static read(data: usize, length: usize): Vp8Header {
    const header = create<Vp8Header>()
    if (length < FRAME_HEADER_BYTES) fail(Failure.Truncated)
    const tag = load<u32>(data) & 0xffffff
    if ((tag & 1) !== 0 || (load<u32>(data, 3) & 0xffffff) !== START_CODE) fail(Failure.Damaged)
    header.width = load<u16>(data, 6) & 0x3fff
    header.height = load<u16>(data, 8) & 0x3fff
    const end = data + length
    const first = data + FRAME_HEADER_BYTES
    const firstBytes = usize(tag >> 5)
    if (firstBytes > end - first) fail(Failure.Truncated)
    header.modes = BoolReader.create(first, first + firstBytes)
    header.readAll(first + firstBytes, end)
    return header
  }

  /** The reader of a row's coefficients. */
  partitionOf(row: i32): BoolReader {
    return objectAt<BoolReader>(this.partitions, row & (this.partitionCount - 1))
  }

  quantisersOf(segment: i32): Quantisers {
    return changetype<Quantisers>(this.quantisers + usize(segment) * offsetof<Quantisers>())
  }

  strengthOf(segment: i32, isSplit: bool): FilterStrength {
    return changetype<FilterStrength>(
      this.strengths + usize(segment * 2 + i32(isSplit)) * offsetof<FilterStrength>(),
    )
  }

  private readAll(partitionsAt: usize, end: usize): void {
    const reader = this.modes
    // Colour space and clamping: there is one of each.
    reader.number(2)
    this.readSegments(reader)
    this.readFilter(reader)
    this.openPartitions(1 << reader.number(2), partitionsAt, end)
    this.readQuantisers(reader)
    // Whether probabilities are kept for the next frame.
    reader.flag()
    this.readProbabilities(reader)
    this.coefficientsProbability = reader.flag() ? max(1, reader.number(8)) : 0
    this.weighFilter()
    if (reader.isOverrun) fail(Failure.Truncated)
  }

  private readSegments(reader: BoolReader): void {
    this.segmentQuantisers = allocate(SEGMENTS * 4)
    this.segmentLevels = allocate(SEGMENTS * 4)
    this.segmentProbabilities = allocate(3)
    memory.fill(this.segmentProbabilities, 255, 3)
    this.hasSegments = reader.flag()
    if (!this.hasSegments) return
    this.hasSegmentMap = reader.flag()
    if (reader.flag()) {
      this.areAbsolute = reader.flag()
      for (let i = 0; i < SEGMENTS; i++) store<i32>(this.segmentQuantisers + i * 4, reader.optional(7))
      for (let i = 0; i < SEGMENTS; i++) store<i32>(this.segmentLevels + i * 4, reader.optional(6))
    }
    if (!this.hasSegmentMap) return
    for (let i = 0; i < 3; i++) {
      if (reader.flag()) store<u8>(this.segmentProbabilities + i, u8(reader.number(8)))
    }
  }

  private readFilter(reader: BoolReader): void {
    this.isSimple = reader.flag()
    this.level = reader.number(6)
    this.sharpness = reader.number(3)
    if (!reader.flag() || !reader.flag()) return
    // Of four each the first is for key frames.
    this.referenceDelta = reader.optional(6)
    for (let i = 1; i < 4; i++) reader.optional(6)
    this.modeDelta = reader.optional(6)
    for (let i = 1; i < 4; i++) reader.optional(6)
  }

  /** Finds the partitions: 24 bits of length for each but the last (section 9.5). */
  private openPartitions(count: i32, sizes: usize, end: usize): void {
    this.partitionCount = count
    this.partitions = allocateList(count)
    const table = usize(count - 1) * 3
    if (table > end - sizes) fail(Failure.Truncated)
    let at = sizes + table
    for (let i = 0; i < count; i++) {
      const isLast = i === count - 1
      const bytes = isLast ? end - at : usize(load<u32>(sizes + i * 3) & 0xffffff)
      if (bytes > end - at) fail(Failure.Truncated)
      putObject(this.partitions, i, BoolReader.create(at, at + bytes))
      at += bytes
    }
  }

  private readQuantisers(reader: BoolReader): void {
    const base = reader.number(7)
    const lumaDc = reader.optional(4)
    const y2Dc = reader.optional(4)
    const y2Ac = reader.optional(4)
    const chromaDc = reader.optional(4)
    const chromaAc = reader.optional(4)
    this.quantisers = allocate(SEGMENTS * offsetof<Quantisers>())
    for (let i = 0; i < SEGMENTS; i++) {
      let index = base
      if (this.hasSegments) {
        index = load<i32>(this.segmentQuantisers + i * 4) + (this.areAbsolute ? 0 : base)
      }
      const factors = this.quantisersOf(i)
      factors.lumaDc = factorAt(DC_QUANTISERS, index + lumaDc)
      factors.lumaAc = factorAt(AC_QUANTISERS, index)
      factors.y2Dc = factorAt(DC_QUANTISERS, index + y2Dc) * 2
      factors.y2Ac = max(8, (factorAt(AC_QUANTISERS, index + y2Ac) * 155) / 100)
      factors.chromaDc = min(132, factorAt(DC_QUANTISERS, index + chromaDc))
      factors.chromaAc = factorAt(AC_QUANTISERS, index + chromaAc)
    }
  }

  private readProbabilities(reader: BoolReader): void {
    this.probabilities = allocate(COEFFICIENT_PROBABILITIES)
    memory.copy(this.probabilities, DEFAULT_PROBABILITIES, COEFFICIENT_PROBABILITIES)
    for (let i = 0; i < COEFFICIENT_PROBABILITIES; i++) {
      if (reader.bit(load<u8>(UPDATE_PROBABILITIES + i)) !== 0) {
        store<u8>(this.probabilities + i, u8(reader.number(8)))
      }
    }
  }

  /** Works out how strongly each kind of macroblock is smoothed (section 15.2). */
  private weighFilter(): void {
    this.isFiltered = this.level > 0
    this.strengths = allocate(SEGMENTS * 2 * offsetof<FilterStrength>())
    for (let segment = 0; segment < SEGMENTS; segment++) {
      let base = this.level
      if (this.hasSegments) {
        base = load<i32>(this.segmentLevels + segment * 4) + (this.areAbsolute ? 0 : this.level)
      }
      for (let split = 0; split < 2; split++) {
        const level = max(0, min(MAX_LEVEL, base + this.referenceDelta + split * this.modeDelta))
        if (level === 0) continue
        let interior = level >> (this.sharpness > 4 ? 2 : this.sharpness > 0 ? 1 : 0)
        if (this.sharpness > 0) interior = min(interior, 9 - this.sharpness)
        interior = max(1, interior)
        const strength = this.strengthOf(segment, split !== 0)
        strength.limit = u8(2 * level + interior)
        strength.interior = u8(interior)
        strength.highVariance = level >= 40 ? 2 : level >= 15 ? 1 : 0
      }
    }
  }
}

function factorAt(table: usize, index: i32): i32 {
  return load<u16>(table + max(0, min(127, index)) * 2)
}

/**
 * Writes a JPEG file out of an encoder's tokens (ITU-T T.81 annex B; JFIF as in ITU-T T.871), with Huffman codes made
 * for this picture. Bytes leave through the host, a chunk at a time.
 */

import { HuffmanCode } from './huffman-code'
import { Encoder } from './jpeg-encode'
import { APP0, DHT, DQT, EOI, SOF0, SOI, SOS } from './jpeg-markers'
import { CHROMA_TABLE, LUMA_TABLE, quantiserOf } from './quantisers'
import { Chunk, TOKEN_BYTES } from './tokens'
import { zigzagColumn, zigzagRow } from './zigzag'

/** Provided by the host: takes bytes that are only there during the call. */
export declare function write(bytes: usize, length: usize): void

const OUTPUT_BYTES: usize = 64 << 10
const OUTPUT: usize = memory.data(64 << 10, 16)
/** More than an MCU can take, or all tables: the output is looked at in between. */
const OUTPUT_MARGIN: usize = 4096
let at: usize = OUTPUT

const COMPONENTS: i32 = 3
const LUMA_BLOCKS: i32 = 4
const BLOCKS_PER_MCU: i32 = 6

/** Writes the whole file; `segments` are `segmentBytes` of ready-made marker segments that follow the JFIF header. */
export function writeJpeg(encoder: Encoder, segments: usize, segmentBytes: usize): void {
  at = OUTPUT
  put16(0xff00 | SOI)
  writeJfif()
  flush()
  if (segmentBytes > 0) write(segments, segmentBytes)
  writeQuantisers(LUMA_TABLE, encoder.quality)
  writeQuantisers(CHROMA_TABLE, encoder.quality)
  writeFrame(encoder)
  const lumaDc = writeCode(encoder, LUMA_TABLE, false)
  const lumaAc = writeCode(encoder, LUMA_TABLE, true)
  const chromaDc = writeCode(encoder, CHROMA_TABLE, false)
  const chromaAc = writeCode(encoder, CHROMA_TABLE, true)
  writeScanHeader()
  writeScan(encoder, lumaDc.codes, lumaAc.codes, chromaDc.codes, chromaAc.codes)
  put16(0xff00 | EOI)
  flush()
}

function put8(byte: i32): void {
  store<u8>(at++, u8(byte))
}

function put16(word: i32): void {
  put8(word >> 8)
  put8(word)
}

function putMarker(marker: i32, length: i32): void {
  put16(0xff00 | marker)
  put16(length)
}

function flush(): void {
  write(OUTPUT, at - OUTPUT)
  at = OUTPUT
}

/** "JFIF", version 1.01, pixels that are square, no thumbnail. */
function writeJfif(): void {
  putMarker(APP0, 16)
  put16(0x4a46)
  put16(0x4946)
  put8(0)
  put16(0x0101)
  put8(0)
  put16(1)
  put16(1)
  put16(0)
}

function writeQuantisers(table: i32, quality: i32): void {
  putMarker(DQT, 67)
  put8(table)
  for (let k = 0; k < 64; k++) put8(quantiserOf(table, zigzagRow(k), zigzagColumn(k), quality))
}

function writeFrame(encoder: Encoder): void {
  putMarker(SOF0, 8 + 3 * COMPONENTS)
  put8(8)
  put16(encoder.height)
  put16(encoder.width)
  put8(COMPONENTS)
  for (let id = 1; id <= COMPONENTS; id++) {
    put8(id)
    put8(id === 1 ? 0x22 : 0x11)
    put8(id === 1 ? LUMA_TABLE : CHROMA_TABLE)
  }
}

function writeCode(encoder: Encoder, table: i32, isAc: bool): HuffmanCode {
  const code = HuffmanCode.from(encoder.frequenciesOf(table, isAc))
  putMarker(DHT, 19 + code.total)
  put8((i32(isAc) << 4) | table)
  memory.copy(at, code.counts, 16 + code.total)
  at += 16 + code.total
  return code
}

function writeScanHeader(): void {
  putMarker(SOS, 6 + 2 * COMPONENTS)
  put8(COMPONENTS)
  for (let id = 1; id <= COMPONENTS; id++) {
    put8(id)
    put8(id === 1 ? (LUMA_TABLE << 4) | LUMA_TABLE : (CHROMA_TABLE << 4) | CHROMA_TABLE)
  }
  put8(0)
  put8(63)
  put8(0)
}

/** Bits that do not fill 32 yet, at the lower end. */
let window: u64 = 0
let count: i32 = 0

function writeScan(encoder: Encoder, lumaDc: usize, lumaAc: usize, chromaDc: usize, chromaAc: usize): void {
  window = 0
  count = 0
  for (let chunk: Chunk | null = encoder.tokens.first; chunk !== null; chunk = chunk.next) {
    let token = chunk.start
    while (token < chunk.end) {
      for (let block = 0; block < BLOCKS_PER_MCU; block++) {
        const isLuma = block < LUMA_BLOCKS
        token = writeBlock(token, isLuma ? lumaDc : chromaDc, isLuma ? lumaAc : chromaAc)
      }
      if (at + OUTPUT_MARGIN > OUTPUT + OUTPUT_BYTES) flush()
    }
  }
  // The last byte is filled up with ones.
  window = (window << 7) | 0x7f
  count += 7
  while (count >= 8) {
    count -= 8
    putStuffed(i32(window >> count))
  }
}

/** Writes the tokens of a block: one for DC, then up to the end of the block or its 64th coefficient. */
function writeBlock(token: usize, dc: usize, ac: usize): usize {
  let codes = dc
  let bits = window
  let filled = count
  let k = 0
  for (;;) {
    const value = load<u32>(token)
    token += TOKEN_BYTES
    const symbol = value & 0xff
    const size = symbol & 15
    const code = load<u32>(codes + symbol * 4)
    const length = i32((code & 0xff) + size)
    bits = (bits << length) | (((code >> 8) << size) | ((value >> 8) & 0xffff))
    filled += length
    if (filled >= 32) {
      filled -= 32
      put32(u32(bits >> filled))
    }
    // What stands for an end of the block as AC is a difference of zero as DC.
    if (symbol === 0 && k > 0) break
    k += i32(symbol >> 4) + 1
    if (k >= 64) break
    codes = ac
  }
  window = bits
  count = filled
  return token
}

/** Four bytes of the scan; one that is 0xFF must be followed by a zero. */
function put32(word: u32): void {
  const inverted = ~word
  const hasMark = ((inverted - 0x01010101) & ~inverted & 0x80808080) !== 0
  if (!hasMark) {
    store<u32>(at, bswap(word))
    at += 4
    return
  }
  for (let shift = 24; shift >= 0; shift -= 8) putStuffed(i32(word >> shift))
}

function putStuffed(byte: i32): void {
  put8(byte)
  if ((byte & 0xff) === 0xff) put8(0)
}

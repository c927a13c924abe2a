/** Files of every format taken apart and put together again, with lengths and checksums that follow. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { bytesOf, concat, joined, text, uint16, uint32, uint32le } from '../fixtures/bytes.ts'

/** A piece of a file: a segment, a chunk, a block, or bytes between them. */
export interface Part {
  /** Its marker or name; empty for bytes that have none. */
  kind: string
  body: Uint8Array
  /** What the file claims, where it is a lie. */
  length?: number
  checksum?: number
}

/** How the files of a format are made of parts, and what damage to them may be made of. */
export interface Format {
  extension: string
  split(bytes: Uint8Array): Part[]
  join(parts: readonly Part[]): Uint8Array
  /** Kinds that a part may be given. */
  kinds: readonly string[]
  /** Bytes that mean something inside of a body. */
  tokens: readonly string[]
  /** The kind of the part that ends a file. */
  end: string
  isLittleEndian: boolean
  /** Changes what is packed inside of a body. */
  within?(part: Part, change: (bytes: Uint8Array) => Uint8Array): void
}

const isAlone = (kind: string) => /^\xff[\xd8\xd9]$/.test(kind)

/** Whether a marker stands here that is no restart. */
function isMarker(bytes: Uint8Array, at: number): boolean {
  const next = bytes[at + 1] ?? 0
  return bytes[at] === 0xff && next >= 0xc0 && next < 0xff && (next < 0xd0 || next > 0xd7)
}

const jpeg: Format = {
  extension: 'jpg',
  kinds: [
    '\xc0',
    '\xc1',
    '\xc2',
    '\xc3',
    '\xc4',
    '\xc9',
    '\xda',
    '\xdb',
    '\xdd',
    '\xe1',
    '\xe2',
    '\xee',
    '\xfe',
  ].map((name) => `\xff${name}`),
  tokens: [
    '\xff\xd0',
    '\xff\xd3',
    '\xff\xd9',
    '\xff\x00',
    '\xff\xff',
    '\xff\xdc\0\x04\0\x08',
    '\xff\xdd\0\x04\0\x01',
  ],
  end: '\xff\xd9',
  isLittleEndian: false,
  split(bytes) {
    const parts: Part[] = []
    let at = 0
    while (at < bytes.length) {
      const kind = isMarker(bytes, at) ? text(bytes.subarray(at, at + 2)) : ''
      let end = at + 2
      if (!kind) while (end < bytes.length && !isMarker(bytes, end)) end += 1
      else if (!isAlone(kind)) end += Math.max(2, ((bytes[end] ?? 0) << 8) | (bytes[end + 1] ?? 0))
      parts.push({ kind, body: bytes.slice(!kind ? at : isAlone(kind) ? end : at + 4, end) })
      at = end
    }
    return parts
  },
  join: (parts) =>
    joined(
      parts.flatMap(({ kind, body, length = body.length + 2 }) =>
        !kind || isAlone(kind) ? [bytesOf(kind), body] : [bytesOf(kind), uint16(length), body],
      ),
    ),
}

const png: Format = {
  extension: 'png',
  kinds: [
    'IHDR',
    'PLTE',
    'IDAT',
    'IEND',
    'tRNS',
    'gAMA',
    'iCCP',
    'eXIf',
    'acTL',
    'fdAT',
    'CgBI',
    'abcd',
    'ABCD',
  ],
  tokens: ['IDAT', 'IEND', '\0\0\0\0', '\xff\xff\0\0'],
  end: 'IEND',
  isLittleEndian: false,
  split(bytes) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
    const parts: Part[] = [{ kind: '', body: bytes.slice(0, 8) }]
    for (let at = 8; at + 8 <= bytes.length; ) {
      const body = bytes.slice(at + 8, at + 8 + view.getUint32(at))
      parts.push({ kind: text(bytes.subarray(at + 4, at + 8)), body })
      at += 12 + body.length
    }
    return parts
  },
  join: (parts) =>
    joined(
      parts.flatMap(({ kind, body, length = body.length, checksum }) => {
        const named = concat(bytesOf(kind), body)
        return kind ? [uint32(length), named, uint32(checksum ?? crc32(named))] : [body]
      }),
    ),
  // Stored blocks are the same whatever version of zlib writes them.
  within(part, change) {
    if (part.kind !== 'IDAT') return
    const rows = quietly(() => new Uint8Array(inflateSync(part.body, { maxOutputLength: 1 << 20 })))
    if (rows) part.body = new Uint8Array(deflateSync(change(rows), { level: 0 }))
  },
}

const webp: Format = {
  extension: 'webp',
  kinds: ['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF', 'ICCP', 'EXIF', 'XMP ', 'abcd'],
  tokens: ['VP8 ', 'VP8L', 'ALPH', '\x9d\x01\x2a', '\x2f', '\0\0\0\0', '\xff\xff\xff\xff'],
  end: 'XMP ',
  isLittleEndian: true,
  split: (bytes) => riffParts(bytes.subarray(12)),
  join(parts) {
    const body = joined(riffBytes(parts))
    return concat(bytesOf('RIFF'), uint32le(body.length + 4), bytesOf('WEBP'), body)
  },
  within(part, change) {
    if (part.kind !== 'ANMF') return
    const inner = riffParts(part.body.subarray(16))
    for (const one of inner) if (one.body.length > 0) one.body = change(one.body)
    part.body = concat(part.body.subarray(0, 16), joined(riffBytes(inner)))
  },
}

function riffParts(bytes: Uint8Array): Part[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const parts: Part[] = []
  for (let at = 0; at + 8 <= bytes.length; ) {
    const body = bytes.slice(at + 8, at + 8 + view.getUint32(at + 4, true))
    parts.push({ kind: text(bytes.subarray(at, at + 4)), body })
    at += 8 + body.length + (body.length & 1)
  }
  return parts
}

function riffBytes(parts: readonly Part[]): ArrayLike<number>[] {
  return parts.flatMap(({ kind, body, length = body.length }) => [
    bytesOf(kind.padEnd(4).slice(0, 4)),
    uint32le(length),
    body,
    new Uint8Array(body.length & 1),
  ])
}

const [IMAGE, EXTENSION, CODES] = [',', '!', 'codes']

/** A palette's bytes by the flags that announce it. */
const paletteBytes = (flags: number) => (flags & 0x80 ? 3 * (2 << (flags & 7)) : 0)

const gif: Format = {
  extension: 'gif',
  kinds: [IMAGE, EXTENSION, CODES, ''],
  tokens: ['\0', '\x01\0', '\xff', '!\xf9\x04', ',\0\0\0\0'],
  end: '',
  isLittleEndian: true,
  split(bytes) {
    let at = 13 + paletteBytes(bytes[10] ?? 0)
    const parts: Part[] = [{ kind: '', body: bytes.slice(0, at) }]
    while (at < bytes.length) {
      const kind = String.fromCharCode(bytes[at] ?? 0)
      if (kind !== IMAGE && kind !== EXTENSION) {
        parts.push({ kind: '', body: bytes.slice(at) })
        break
      }
      const head = kind === EXTENSION ? 2 : 11 + paletteBytes(bytes[at + 9] ?? 0)
      parts.push({ kind, body: bytes.slice(at, at + head) })
      at += head
      const pieces: Uint8Array[] = []
      for (let length = bytes[at] ?? 0; length > 0; length = bytes[at] ?? 0) {
        pieces.push(bytes.subarray(at + 1, at + 1 + length))
        at += 1 + length
      }
      parts.push({ kind: CODES, body: joined(pieces) })
      at += 1
    }
    return parts
  },
  join: (parts) =>
    joined(
      parts.flatMap(({ kind, body, length = 255 }) => {
        if (kind !== CODES) return [body]
        const size = Math.max(1, length & 255)
        const blocks = Array.from({ length: Math.ceil(body.length / size) }, (_, i) =>
          body.subarray(i * size, (i + 1) * size),
        )
        return [...blocks.flatMap((block) => [[block.length], block]), [0]]
      }),
    ),
}

function quietly<T>(make: () => T): T | null {
  try {
    return make()
  } catch {
    return null
  }
}

/** The formats by the folders of their samples. */
export const FORMATS = { jpeg, png, gif, webp } satisfies Record<string, Format>
export type FormatName = keyof typeof FORMATS

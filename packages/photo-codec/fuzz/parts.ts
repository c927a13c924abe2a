/** Files of every format taken apart and put together again, with lengths and checksums that follow. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { bytesOf, concat, joined, text, uint16, uint32, uint32le } from '../fixtures/bytes.ts'

/** A piece of a file: a segment, a chunk, a block, or bytes between them. */
export interface Part {
  /** Its marker or name; empty for bytes that have none. */
  kind: string
  body: Uint8Array
}

/** How the files of a format are made of parts. */
export interface Format {
  split(bytes: Uint8Array): Part[]
  join(parts: readonly Part[]): Uint8Array
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
      parts.flatMap(({ kind, body }) =>
        !kind || isAlone(kind) ? [bytesOf(kind), body] : [bytesOf(kind), uint16(body.length + 2), body],
      ),
    ),
}

const png: Format = {
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
      parts.flatMap(({ kind, body }) => {
        const named = concat(bytesOf(kind), body)
        return kind ? [uint32(body.length), named, uint32(crc32(named))] : [body]
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
  return parts.flatMap(({ kind, body }) => [
    bytesOf(kind),
    uint32le(body.length),
    body,
    new Uint8Array(body.length & 1),
  ])
}

const [IMAGE, EXTENSION, CODES] = [',', '!', 'codes']

/** A palette's bytes by the flags that announce it. */
const paletteBytes = (flags: number) => (flags & 0x80 ? 3 * (2 << (flags & 7)) : 0)

const gif: Format = {
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
      parts.flatMap(({ kind, body }) => {
        if (kind !== CODES) return [body]
        const blocks = Array.from({ length: Math.ceil(body.length / 255) }, (_, i) =>
          body.subarray(i * 255, (i + 1) * 255),
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

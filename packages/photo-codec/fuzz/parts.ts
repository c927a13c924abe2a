/** JPEGs and PNGs taken apart and put together again, with lengths and checksums that follow. */
import { crc32, deflateSync, inflateSync } from 'node:zlib'
import { bytesOf, concat, text, uint16, uint32 } from '../fixtures/bytes.ts'
import { joinBytes } from '../src/containers.ts'

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
    joinBytes(
      parts.flatMap(({ kind, body }) =>
        !kind || isAlone(kind) ? [bytesOf(kind), body] : [bytesOf(kind), uint16(body.length + 2), body],
      ),
    ),
}

const png: Format = {
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
    joinBytes(
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

function quietly<T>(make: () => T): T | null {
  try {
    return make()
  } catch {
    return null
  }
}

/** Formats whose parts have lengths or checksums, by the folders of their samples. The bytes of others are damaged as they are. */
export const FORMATS = { jpeg, png } satisfies Record<string, Format>

import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { concat } from '../fixtures/bytes.ts'
import { assemblePng, pngChunk, segment, toAnimatedWebp } from '../fixtures/containers.ts'
import { BLUE, GREEN, RED, texture, toGif, toJpeg, toPng, toWebp, WHITE } from '../fixtures/pictures.ts'
import { pngChunks } from '../src/containers.ts'
import { CODEC_ERRORS, PhotoError } from '../src/errors.ts'
import { processPhoto } from '../src/process.ts'

const PLAIN = { maxSide: 24, watermark: null }
const NAMES = [
  'sequential JPEG',
  'progressive JPEG',
  'PNG',
  'GIF',
  'animated GIF',
  'lossless WebP',
  'lossy WebP',
  'animated WebP',
] as const

let files: Record<(typeof NAMES)[number], Uint8Array>

beforeAll(async () => {
  const picture = texture(48, 40)
  const indexes = Array.from({ length: 48 * 40 }, (_, i) => ((i * i) >> 4) % 4)
  const palette = [WHITE, RED, GREEN, BLUE]
  const still = await toWebp(picture)
  const frame = { still, x: 0, y: 0, width: 48, height: 40 }
  files = {
    'sequential JPEG': await toJpeg(picture, { orientation: 6 }),
    'progressive JPEG': await toJpeg(picture, { encoder: { baseline: false, progressive: true } }),
    PNG: toPng(picture),
    GIF: toGif(48, 40, palette, [{ indexes }]),
    'animated GIF': toGif(48, 40, palette, [{ indexes }, { indexes }]),
    'lossless WebP': still,
    'lossy WebP': await toWebp(picture, false),
    'animated WebP': toAnimatedWebp(48, 40, [frame, frame]),
  }
})

function outcome(bytes: Uint8Array): string {
  try {
    processPhoto(bytes, PLAIN)
    return 'success'
  } catch (error) {
    if (!(error instanceof PhotoError)) throw error
    // A mistake of ours must not pass for a damaged file. The platform's inflater throws TypeErrors, too.
    if (error.cause instanceof TypeError) expect(error.cause.message).toMatch(/decompression/i)
    return error.message
  }
}

/** Bytes at the end of a file that may be missing. */
function unneeded(name: (typeof NAMES)[number]): number {
  // EOI.
  if (name.endsWith('JPEG')) return 2
  // IEND and the checksum of the chunk in front of it.
  if (name === 'PNG') return 16
  // Of a GIF nothing is needed behind the last pixel of its first frame, not even the code that ends it.
  if (name === 'animated GIF') return files[name].length >> 1
  return name === 'GIF' ? 4 : 0
}

describe('a file that was cut', () => {
  it.each(NAMES)('is refused: %s', async (name) => {
    const file = files[name]
    expect(await outcome(file)).toBe('success')
    const needed = file.length - unneeded(name)
    const cuts = [0.3, 0.5, 0.7, 0.9, 0.95, 0.99].map((part) => Math.floor(needed * part))
    for (const end of [...cuts, needed - 2, needed - 1]) {
      expect(await outcome(file.slice(0, end)), `${end} of ${file.length} bytes`).not.toBe('success')
    }
  })

  it.each(['sequential JPEG', 'progressive JPEG', 'PNG'] as const)(
    'is accepted where all of the picture is there: %s',
    async (name) => {
      const file = files[name]
      for (let missing = 1; missing <= unneeded(name); missing++) {
        expect(await outcome(file.slice(0, -missing)), `${missing} bytes missing`).toBe('success')
      }
    },
  )

  it.each(['sequential JPEG', 'progressive JPEG'] as const)(
    'is refused with a new ending: %s',
    async (name) => {
      const file = files[name]
      for (let end = 700; end < file.length - 3; end += 13) {
        const closed = concat(file.subarray(0, end), [0xff, 0xd9])
        expect(await outcome(closed), `${end} of ${file.length} bytes`).toBe(CODEC_ERRORS.undecodable)
      }
    },
  )
})

describe('a file that was damaged', () => {
  it('is refused: PNG with a wrong checksum, wherever it is', async () => {
    const file = files.PNG
    for (let at = 12; at < file.length - unneeded('PNG'); at += 29) {
      const damaged = file.with(at, (file[at] ?? 0) ^ 4)
      expect(await outcome(damaged), `byte ${at}`).not.toBe('success')
    }
  })

  it('is refused: JPEG with a piece missing', async () => {
    const file = files['sequential JPEG']
    for (let at = 700; at < file.length - 500; at += 50) {
      const shorter = concat(file.subarray(0, at), file.subarray(at + 400))
      expect(await outcome(shorter), `byte ${at}`).toBe(CODEC_ERRORS.undecodable)
    }
  })

  it('is refused: JPEG with more scans than any camera writes', async () => {
    const file = files['progressive JPEG']
    const scan = segment(0xda, new Uint8Array([1, 1, 0, 0, 0, 0]))
    expect(
      await outcome(concat(file.subarray(0, -2), ...new Array<Uint8Array>(40).fill(scan), [0xff, 0xd9])),
    ).toBe(CODEC_ERRORS.undecodable)
  })

  it('may carry anything behind its end', async () => {
    expect(await outcome(concat(files['sequential JPEG'], [1, 2, 3]))).toBe('success')
    expect(await outcome(concat(files.PNG, [1, 2, 3]))).toBe('success')
  })

  it.each(NAMES)('is either rendered or refused, never anything else: %s', async (name) => {
    const file = files[name]
    const mutation = fc.record({
      at: fc.nat(file.length - 1),
      value: fc.nat(255),
      kind: fc.constantFrom('set', 'delete', 'double', 'cut'),
    })
    const property = fc.asyncProperty(
      fc.array(mutation, { minLength: 1, maxLength: 4 }),
      async (mutations) => {
        let bytes = file
        for (const { at, value, kind } of mutations) {
          if (kind === 'set' && at < bytes.length) bytes = bytes.with(at, value)
          if (kind === 'delete') bytes = concat(bytes.subarray(0, at), bytes.subarray(at + 1 + (value % 9)))
          if (kind === 'double')
            bytes = concat(bytes.subarray(0, at), bytes.subarray(Math.max(0, at - value)))
          if (kind === 'cut') bytes = bytes.slice(0, Math.max(at, bytes.length - value))
        }
        await outcome(bytes)
      },
    )
    await fc.assert(property, { numRuns: 150 })
  })

  it('is either rendered or refused: PNG whose checksums are right', async () => {
    const chunks = [...pngChunks(files.PNG)].filter(({ type }) => type !== 'IEND')
    const property = fc.asyncProperty(
      fc.array(fc.record({ chunk: fc.nat(1), at: fc.nat(4000), value: fc.nat(255) }), {
        minLength: 1,
        maxLength: 3,
      }),
      async (mutations) => {
        const bodies = chunks.map(({ body }) => body.slice())
        for (const { chunk, at, value } of mutations) {
          const body = bodies[chunk]
          // Among the header's thirteen bytes the sizes are left alone: they are compared with what was read before.
          if (body) body[chunk === 0 ? 8 + (at % 5) : at % body.length] = value % 17
        }
        await outcome(
          assemblePng(chunks.map(({ type }, i) => pngChunk(type, bodies[i] ?? new Uint8Array(0)))),
        )
      },
    )
    await fc.assert(property, { numRuns: 300 })
  })
})

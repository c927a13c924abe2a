/** What becomes of a file: pictures, a refusal, or what must never be. */
import { crc32 } from 'node:zlib'
import { sample } from '../fixtures/samples.ts'
import { PhotoError } from '../src/errors.ts'
import { processPanorama, processPhoto } from '../src/process.ts'

/** What is done with a file: fitted into so many pixels, made a panorama, or laid over a photo. */
export const USES = ['fit 24', 'fit 200', 'fit 1920', 'panorama', 'watermark'] as const
export type Use = (typeof USES)[number]

/** Rendered and refused are right, the rest are bugs. */
export type Kind = 'rendered' | 'refused' | 'trap' | 'guard' | 'foreign'

/** What became of a file. */
export interface Outcome {
  kind: Kind
  /** A digest that identifies the pictures, or the error in one line. */
  detail: string
  stack: string
}

const PHOTO = sample('png/rgb-16.png')

/** Never throws. */
export function outcomeOf(bytes: Uint8Array, use: Use): Outcome {
  try {
    const pictures = render(bytes, use)
    if (!pictures) return { kind: 'refused', detail: 'left out', stack: '' }
    if (!pictures.every(isWholeJpeg)) return { kind: 'foreign', detail: 'the output is no JPEG', stack: '' }
    const digest = pictures.reduce((sum, picture) => crc32(picture, sum), 0)
    return { kind: 'rendered', detail: digest.toString(16).padStart(8, '0'), stack: '' }
  } catch (error) {
    return blame(error)
  }
}

function render(bytes: Uint8Array, use: Use): Uint8Array[] | null {
  if (use === 'panorama') {
    const { image, thumb } = processPanorama(bytes)
    return [image, thumb]
  }
  if (use === 'watermark') {
    // One that cannot be read is left out, for whatever reason.
    const { watermarked, watermarkError } = processPhoto(PHOTO, { maxSide: 1920, watermark: bytes })
    if (watermarkError) throw watermarkError
    return watermarked && [watermarked]
  }
  return [processPhoto(bytes, { maxSide: Number(use.slice(4)), watermark: null }).original]
}

function isWholeJpeg(bytes: Uint8Array): boolean {
  return bytes[0] === 0xff && bytes[1] === 0xd8 && bytes.at(-2) === 0xff && bytes.at(-1) === 0xd9
}

/** Follows the causes of an error to see if it is a refusal, or a mistake that passes for one. */
function blame(thrown: unknown): Outcome {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    const kind = bugKind(error)
    if (kind) return { kind, detail: `${error.name}: ${error.message}`, stack: error.stack ?? '' }
  }
  if (thrown instanceof PhotoError) {
    const reason = thrown.cause instanceof Error ? ` (${thrown.cause.message})` : ''
    return { kind: 'refused', detail: thrown.message + reason, stack: '' }
  }
  return {
    kind: 'foreign',
    detail: String(thrown),
    stack: thrown instanceof Error ? (thrown.stack ?? '') : '',
  }
}

function bugKind(error: Error): Kind | undefined {
  if (error instanceof WebAssembly.RuntimeError) return 'trap'
  if (error.name === 'GuardError') return 'guard'
  const mistake = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError
  return mistake && !isRefusal(error) ? 'foreign' : undefined
}

/** A DataView refuses to read past a header's end, and the platform's inflater refuses data with TypeErrors. */
function isRefusal(error: Error): boolean {
  if (error.message === 'Offset is outside the bounds of the DataView') return true
  if (error.message === 'Decompression failed.') return true
  return 'code' in error && /^Z_|^ERR_TRAILING_JUNK/.test(String(error.code))
}

import { describe, expect, it } from 'vitest'
import { bytesOf, concat } from '../fixtures/bytes.ts'
import { assemblePng, pngChunk, riff, riffChunk, segment } from '../fixtures/containers.ts'
import { quadrants, toPng } from '../fixtures/pictures.ts'
import { CODEC_ERRORS, PhotoError } from '../src/errors.ts'
import { processPhoto } from '../src/process.ts'

import { PLAIN } from './rendering.ts'

describe('refusals', () => {
  const header = (width: number, height: number) =>
    assemblePng([
      pngChunk(
        'IHDR',
        concat([0, 0, width >> 8, width & 255, 0, 0, height >> 8, height & 255], [8, 6, 0, 0, 0]),
      ),
      pngChunk('IDAT', new Uint8Array(0)),
    ])
  const sof = (marker: number) => segment(marker, new Uint8Array([8, 0, 16, 0, 16, 1, 1, 0x11, 0]))

  it.each([
    ['text', bytesOf('hello'), 'Unsupported or unrecognized image type: text/plain'],
    ['nothing', new Uint8Array(0), 'Unsupported or unrecognized image type: application/octet-stream'],
    ['PDF', bytesOf('%PDF-1.7'), 'Unsupported or unrecognized image type: application/pdf'],
    ['a JPEG without a frame', bytesOf('\xff\xd8\xff\xd9'), CODEC_ERRORS.noDimensions],
    [
      'a JPEG without height',
      concat([0xff, 0xd8], segment(0xc0, new Uint8Array([8, 0, 0, 0, 9, 1, 1, 17, 0]))),
      CODEC_ERRORS.noDimensions,
    ],
    ['a PNG signature alone', bytesOf('\x89PNG\r\n\x1a\n'), CODEC_ERRORS.noDimensions],
    ['a PNG without width', header(0, 5), CODEC_ERRORS.noDimensions],
    ['a GIF header alone', bytesOf('GIF89a\x01'), CODEC_ERRORS.noDimensions],
    ['an empty WebP', bytesOf('RIFF\x04\0\0\0WEBP'), CODEC_ERRORS.noDimensions],
    ['a script that begins as GIF', bytesOf('GIF89a<script>alert(1)</script>'), CODEC_ERRORS.typeMismatch],
    ['a PNG without data', header(5, 5).subarray(0, 33), CODEC_ERRORS.undecodable],
    ['a PNG with empty data', header(5, 5), CODEC_ERRORS.undecodable],
    ['a PNG of headers only', assemblePng([header(5, 5).subarray(8, 33)]), CODEC_ERRORS.typeMismatch],
    ['a WebP of headers only', riff(riffChunk('VP8X', new Uint8Array(10))), CODEC_ERRORS.typeMismatch],
    ['a JPEG of headers only', concat([0xff, 0xd8], sof(0xc0), [0xff, 0xd9]), CODEC_ERRORS.typeMismatch],
    ['too many pixels', header(20_000, 20_000), CODEC_ERRORS.undecodable],
    [
      'more than 20 MB',
      concat(toPng(quadrants(4, 4)), new Uint8Array(20 * 1024 * 1024)),
      CODEC_ERRORS.undecodable,
    ],
  ])('names the reason for %s', (_, bytes, message) => {
    expect(() => processPhoto(bytes, PLAIN)).toThrow(new PhotoError(message))
  })
})

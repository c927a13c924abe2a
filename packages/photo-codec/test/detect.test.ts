import { describe, expect, it } from 'vitest'
import { bytesOf, concat, text } from '../fixtures/bytes.ts'
import { exif, riff, riffChunk, segment, TIFF_TYPES } from '../fixtures/containers.ts'
import { GREEN, quadrants, RED, toGif, toJpeg, toPng, toWebp } from '../fixtures/pictures.ts'
import { detectType } from '../src/detect.ts'
import { readPhotoInfo } from '../src/dimensions.ts'

describe('detectType', () => {
  it.each([
    ['\xff\xd8\xff\xe0', 'image/jpeg'],
    ['\x89PNG\r\n\x1a\n', 'image/png'],
    ['GIF87a', 'image/gif'],
    ['GIF89a', 'image/gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp'],
    ['RIFF\0\0\0\0WAVEfmt ', 'audio/wav'],
    ['BM\x46\0\0\0\0\0\0\0', 'image/bmp'],
    ['II*\0\x08\0\0\0', 'image/tiff'],
    ['MM\0*\0\0\0\x08', 'image/tiff'],
    ['\0\0\0\x1cftypavif', 'image/avif'],
    ['\0\0\0\x18ftypheic', 'image/heic'],
    ['\0\0\0\x18ftypmif1', 'image/heif'],
    ['\0\0\0\x18ftypisom', 'video/mp4'],
    ['%PDF-1.7', 'application/pdf'],
    ['PK\x03\x04', 'application/zip'],
    ['\x1f\x8b\x08', 'application/gzip'],
    ['<!DOCTYPE html><html>', 'text/html'],
    ['\n <html lang="el">', 'text/html'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml'],
    ['<?xml version="1.0"?>\n<!-- drawn --><svg >', 'image/svg+xml'],
    ['<?xml version="1.0"?><feed/>', 'text/xml'],
    ['<?xml version="1.0"?><html>', 'text/xml'],
    ['<!-- a --> <!-- <svg > --><svg\n>', 'image/svg+xml'],
    ['<!DOCTYPE svg PUBLIC "x">\n<svg>', 'image/svg+xml'],
    ['<!doctype svg', 'text/plain'],
    ['<!-- a --><!-- b -->\n<p >', 'text/html'],
    ['<!-- <html> ', 'text/plain'],
    ['<!--><svg >', 'text/plain'],
    ['<svgx>', 'text/plain'],
    [`${'<!---->'.repeat(73)}x`, 'text/plain'],
    [`${'<!---->'.repeat(50)}<svg >`, 'image/svg+xml'],
    ['BMW of the year', 'text/plain'],
    ['GIF', 'text/plain'],
    ['hello\r\n', 'text/plain'],
    ['', 'application/octet-stream'],
    ['\0\0\0\0', 'application/octet-stream'],
    ['\xc3\x28', 'application/octet-stream'],
  ])('%j is %s', (bytes, type) => {
    expect(detectType(bytesOf(bytes))).toBe(type)
  })

  it('reads Greek as text, also where the sniffed part ends inside a letter', () => {
    expect(detectType(new TextEncoder().encode(`a${'ω'.repeat(1000)}`))).toBe('text/plain')
  })
})

const TYPES = Object.keys(TIFF_TYPES) as (keyof typeof TIFF_TYPES)[]

/** TIFF structures, and the orientation that is to be found there. */
const ORIENTATIONS: [string, Uint8Array, number][] = [
  ...TYPES.flatMap((type): [string, Uint8Array, number][] => [
    [`${type}, low byte first`, exif(6, { type, little: true }), 6],
    [`${type}, high byte first`, exif(3, { type }), 3],
  ]),
  ['not out of range', exif(9), 1],
  ['not zero', exif(0), 1],
  ['not from a directory outside', bytesOf('MM\0*\0\0\xff\0'), 1],
  ['not from a directory that is cut', exif(6).subarray(0, 20), 1],
  ['not from nothing', new Uint8Array(0), 1],
]

describe('readPhotoInfo', () => {
  it('reads sizes of every format', async () => {
    const picture = quadrants(70, 33)
    const still = await toWebp(picture)
    const files = [
      ['image/jpeg', await toJpeg(picture)],
      ['image/jpeg', await toJpeg(picture, { encoder: { baseline: false, progressive: true } })],
      ['image/png', toPng(picture)],
      ['image/gif', toGif(70, 33, [RED, GREEN], [{ indexes: new Array<number>(70 * 33).fill(1) }])],
      ['image/webp', still],
      ['image/webp', await toWebp(picture, false)],
      [
        'image/webp',
        riff(riffChunk('VP8X', new Uint8Array([0, 0, 0, 0, 69, 0, 0, 32, 0, 0])), still.subarray(12)),
      ],
    ] as const
    for (const [type, bytes] of files) {
      expect(readPhotoInfo(bytes, type)).toEqual({ type, width: 70, height: 33, orientation: 1 })
    }
  })

  it.each(ORIENTATIONS)('reads the orientation %s', async (_, tiff, orientation) => {
    const jpeg = await toJpeg(quadrants(8, 8))
    const xmp = segment(0xe1, bytesOf('http://ns.adobe.com/xap/1.0/\0<x/>'))
    const segments = concat(xmp, segment(0xe1, concat(bytesOf('Exif\0\0'), tiff)))
    for (const at of [2, text(jpeg).indexOf('\xff\xc0'), text(jpeg).indexOf('\xff\xda')]) {
      const file = concat(jpeg.subarray(0, at), segments, jpeg.subarray(at))
      expect(readPhotoInfo(file, 'image/jpeg')?.orientation, `at ${at}`).toBe(orientation)
    }
  })
})

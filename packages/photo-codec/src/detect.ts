/**
 * Detects the type of a file from its bytes only: names, extensions and declared types do not count.
 *
 *     detectType(bytes) // 'image/jpeg', 'text/html', 'application/octet-stream', …
 */

/** The formats a photo may have, identified by their magic numbers. */
const PHOTO_SIGNATURES = {
  'image/jpeg': ['\xff\xd8\xff'],
  'image/png': ['\x89PNG\r\n\x1a\n'],
  'image/gif': ['GIF87a', 'GIF89a'],
  'image/webp': ['RIFF????WEBP'],
} satisfies Record<string, string[]>

/** A format that a photo may have. */
export type PhotoType = keyof typeof PHOTO_SIGNATURES

/** Maximum bytes of a text that are read to recognise it. */
const SNIFFED_BYTES = 512

/** Magic numbers at the beginning of a file; `?` stands for any byte. The first match wins. */
const SIGNATURES: readonly (readonly [mime: string, magic: string])[] = [
  ...Object.entries(PHOTO_SIGNATURES).flatMap(([mime, magics]) =>
    magics.map((magic) => [mime, magic] as const),
  ),
  ['image/bmp', 'BM????\0\0\0\0'],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
  ['image/tiff', 'II+\0'],
  ['image/tiff', 'MM\0+'],
  ['image/avif', '????ftypavif'],
  ['image/avif', '????ftypavis'],
  ['image/heic', '????ftyphei'],
  ['image/heic', '????ftyphev'],
  ['image/heif', '????ftypmif1'],
  ['image/heif', '????ftypmsf1'],
  ['video/quicktime', '????ftypqt'],
  ['video/mp4', '????ftyp'],
  ['image/jxl', '\xff\x0a'],
  ['image/jxl', '\0\0\0\x0cJXL \r\n\x87\n'],
  ['image/jp2', '\0\0\0\x0cjP  \r\n\x87\n'],
  ['image/x-icon', '\0\0\x01\0'],
  ['image/vnd.adobe.photoshop', '8BPS'],
  ['application/pdf', '%PDF-'],
  ['application/zip', 'PK\x03\x04'],
  ['application/zip', 'PK\x05\x06'],
  ['application/gzip', '\x1f\x8b'],
  ['application/x-7z-compressed', "7z\xbc\xaf'\x1c"],
  ['application/vnd.rar', 'Rar!\x1a\x07'],
  ['video/webm', '\x1aE\xdf\xa3'],
  ['audio/mpeg', 'ID3'],
  ['audio/wav', 'RIFF????WAVE'],
]

/** The media type of a file; `application/octet-stream` when nothing is recognised. */
export function detectType(bytes: Uint8Array): string {
  const signed = SIGNATURES.find(([, magic]) => beginsWith(bytes, magic))
  return signed ? signed[0] : detectText(bytes)
}

/** Whether a media type is one a photo may have. */
export function isPhotoType(mime: string): mime is PhotoType {
  return Object.hasOwn(PHOTO_SIGNATURES, mime)
}

function beginsWith(bytes: Uint8Array, magic: string): boolean {
  if (bytes.length < magic.length) return false
  for (let i = 0; i < magic.length; i++) {
    if (magic[i] !== '?' && bytes[i] !== magic.charCodeAt(i)) return false
  }
  return true
}

/** Text is valid UTF-8 without control characters; markup is recognised by its first element. */
function detectText(bytes: Uint8Array): string {
  const head = bytes.subarray(0, SNIFFED_BYTES)
  if (
    head.length === 0 ||
    head.some((byte) => byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b))
  ) {
    return 'application/octet-stream'
  }
  let text: string
  try {
    // `stream` accepts a last character that SNIFFED_BYTES has split.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(head, {
      stream: bytes.length > head.length,
    })
  } catch {
    return 'application/octet-stream'
  }
  return detectMarkup(text.trimStart().toLowerCase())
}

/** Detects markup by its first element after declarations and comments. Each step advances, so the time is linear. */
function detectMarkup(text: string): string {
  const isXml = text.startsWith('<?xml')
  const content = skipComments(isXml ? skipTag(text) : text)
  const root = content.startsWith('<!doctype svg') ? skipTag(content) : content
  if (/^<svg[\s>]/.test(root)) return 'image/svg+xml'
  if (isXml) return 'text/xml'
  return HTML_START.test(content) ? 'text/html' : 'text/plain'
}

const HTML_START = /^<(?:!doctype html|html|head|body|script|title|h1|div|p|a|table)[\s>]/

function skipComments(text: string): string {
  let rest = text
  while (rest.startsWith('<!--') && rest.includes('-->', '<!--'.length)) {
    rest = rest.slice(rest.indexOf('-->', '<!--'.length) + '-->'.length).trimStart()
  }
  return rest
}

/** The text after the first tag, without leading whitespace; empty when there is none. */
function skipTag(text: string): string {
  const end = text.indexOf('>')
  return end < 0 ? '' : text.slice(end + 1).trimStart()
}

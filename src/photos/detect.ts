/**
 * What a file is, judged by its bytes alone: names, extensions and declared types are never asked.
 *
 *     detectType(bytes) // 'image/jpeg', 'text/html', 'application/octet-stream', …
 */

/** The formats a photo may have. */
export type PhotoType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp'

/** How far a text may be read to recognise it. */
const SNIFFED_BYTES = 512

/** Magic numbers at fixed places; `?` stands for any byte. The first match wins. */
const SIGNATURES: readonly (readonly [mime: string, at: number, magic: string])[] = [
  ['image/jpeg', 0, '\xff\xd8\xff'],
  ['image/png', 0, '\x89PNG\r\n\x1a\n'],
  ['image/gif', 0, 'GIF87a'],
  ['image/gif', 0, 'GIF89a'],
  ['image/webp', 0, 'RIFF????WEBP'],
  ['image/bmp', 0, 'BM????\0\0\0\0'],
  ['image/tiff', 0, 'II*\0'],
  ['image/tiff', 0, 'MM\0*'],
  ['image/tiff', 0, 'II+\0'],
  ['image/tiff', 0, 'MM\0+'],
  ['image/avif', 4, 'ftypavif'],
  ['image/avif', 4, 'ftypavis'],
  ['image/heic', 4, 'ftyphei'],
  ['image/heic', 4, 'ftyphev'],
  ['image/heif', 4, 'ftypmif1'],
  ['image/heif', 4, 'ftypmsf1'],
  ['video/quicktime', 4, 'ftypqt'],
  ['video/mp4', 4, 'ftyp'],
  ['image/jxl', 0, '\xff\x0a'],
  ['image/jxl', 0, '\0\0\0\x0cJXL \r\n\x87\n'],
  ['image/jp2', 0, '\0\0\0\x0cjP  \r\n\x87\n'],
  ['image/x-icon', 0, '\0\0\x01\0'],
  ['image/vnd.adobe.photoshop', 0, '8BPS'],
  ['application/pdf', 0, '%PDF-'],
  ['application/zip', 0, 'PK\x03\x04'],
  ['application/zip', 0, 'PK\x05\x06'],
  ['application/gzip', 0, '\x1f\x8b'],
  ['application/x-7z-compressed', 0, "7z\xbc\xaf'\x1c"],
  ['application/vnd.rar', 0, 'Rar!\x1a\x07'],
  ['video/webm', 0, '\x1aE\xdf\xa3'],
  ['audio/mpeg', 0, 'ID3'],
  ['audio/wav', 0, 'RIFF????WAVE'],
]

/** The media type of a file; `application/octet-stream` when nothing is recognised. */
export function detectType(bytes: Uint8Array): string {
  const signed = SIGNATURES.find(([, at, magic]) => matches(bytes, at, magic))
  return signed ? signed[0] : detectText(bytes)
}

/** Whether a media type is one a photo may have. */
export function isPhotoType(mime: string): mime is PhotoType {
  return mime === 'image/jpeg' || mime === 'image/png' || mime === 'image/gif' || mime === 'image/webp'
}

function matches(bytes: Uint8Array, at: number, magic: string): boolean {
  if (bytes.length < at + magic.length) return false
  for (let i = 0; i < magic.length; i++) {
    if (magic[i] !== '?' && bytes[at + i] !== magic.charCodeAt(i)) return false
  }
  return true
}

/** Text is valid UTF-8 without control characters; markup is told by how it begins. */
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
    // `stream` lets the last character be cut by the sniffing length.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(head, {
      stream: bytes.length > head.length,
    })
  } catch {
    return 'application/octet-stream'
  }
  return detectMarkup(text.trimStart().toLowerCase())
}

/** Markup by its first element, behind declarations and comments. Each step moves on, so the time is linear. */
function detectMarkup(text: string): string {
  const isXml = text.startsWith('<?xml')
  const content = skipComments(isXml ? skipPast(text, '>') : text)
  const root = content.startsWith('<!doctype svg') ? skipPast(content, '>') : content
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

/** What follows the first `end`, without leading whitespace; nothing when there is none. */
function skipPast(text: string, end: string): string {
  const at = text.indexOf(end)
  return at < 0 ? '' : text.slice(at + end.length).trimStart()
}

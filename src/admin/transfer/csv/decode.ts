/** The text of a CSV file, whose encoding nothing names. */

/** The encodings of files of Greek agencies: what a browser and Node decode alike. */
const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1253', 'windows-1252'] as const
export type Encoding = (typeof ENCODINGS)[number]

const GREEK = /[\u0370-\u03FF]/g
/** Letters of words in Western languages. Greek text that is read as windows-1252 consists of them. */
const WESTERN = /[\u00C0-\u00FF]/g

/** The encoding of a file: by its first bytes, else UTF-8 if it is valid, else the code page that reads as words. */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (bytes[1] === 0 && bytes[3] === 0) return 'utf-16le'
  if (bytes[0] === 0 && bytes[2] === 0) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    return 'utf-8'
  } catch {
    return isGreek(bytes) ? 'windows-1253' : 'windows-1252'
  }
}

/** In Greek words most letters are beyond ASCII; in Western ones a few are, such as é. */
function isGreek(bytes: Uint8Array): boolean {
  const western = new TextDecoder('windows-1252').decode(bytes)
  const runs = western.match(/[\u00C0-\u00FF]{3}/g)?.length ?? 0
  const single = western.match(WESTERN)?.length ?? 0
  const greek = new TextDecoder('windows-1253').decode(bytes).match(GREEK)?.length ?? 0
  return greek > 0 && (runs > 0 || single === 0)
}

/** The text of a file, without a byte order mark. Throws where bytes do not belong to the encoding. */
export function decode(bytes: Uint8Array, encoding: Encoding): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    throw new Error(
      `The file is not in ${encoding}: set "encoding" in the map to one of ${ENCODINGS.join(', ')}.`,
    )
  }
}

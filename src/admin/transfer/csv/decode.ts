/** The text of a CSV file, whose encoding nothing names. */

/** The encodings of files of Greek agencies: what a browser and Node decode alike. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1253',
  'iso-8859-7',
  'windows-1252',
] as const
export type Encoding = (typeof ENCODINGS)[number]

/** Whether a file is a table, by its name. */
export const isTable = (file: string) => /\.(csv|tsv|tab|txt)$/i.test(file)

const GREEK = /[\u0370-\u03FF]/g
/** Letters of words in Western languages. Greek text that is read as windows-1252 consists of them. */
const WESTERN = /[\u00C0-\u00FF]/g

/** Bytes that are looked at for UTF-16. */
const SAMPLE = 1000

/**
 * The encoding of a file: by its first bytes, else UTF-8 if it is valid, else the code page that reads as words. Throws for
 * UTF-8 with a few wrong bytes, as any code page would garble the rest.
 */
export function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (isUtf16(bytes, 1)) return 'utf-16le'
  if (isUtf16(bytes, 0)) return 'utf-16be'
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes)
    return 'utf-8'
  } catch {
    refuseDamaged(bytes)
    if (!isGreek(bytes)) return 'windows-1252'
    // Ά is there what windows-1253 has for ¶.
    return /¶[α-ώ]/.test(new TextDecoder('windows-1253').decode(bytes)) ? 'iso-8859-7' : 'windows-1253'
  }
}

/** Whether most characters have the high byte of Latin or Greek letters at every other place, from `first` on. */
function isUtf16(bytes: Uint8Array, first: number): boolean {
  const high = bytes.subarray(0, SAMPLE).filter((_, index) => index % 2 === first)
  return high.length > 0 && high.filter((byte) => byte === 0 || byte === 3).length > high.length * 0.8
}

function refuseDamaged(bytes: Uint8Array): void {
  const text = new TextDecoder().decode(bytes)
  const wrong = text.match(/\uFFFD/g)?.length ?? 0
  const right = text.match(/[\u0080-\uFFFC]/g)?.length ?? 0
  if (right <= wrong) return
  const line = text.slice(0, text.indexOf('\uFFFD')).split('\n').length
  throw new Error(`The file is UTF-8, but line ${line} has bytes that are not: save it in one encoding.`)
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

/**
 * Parses the headers of a multipart part, and the parameters of any header. Values are slices of the text: building
 * them character by character would take many times the memory.
 *
 *     parsePartHeaders('Content-Disposition: form-data; name="photos"; filename="a.jpg"\r\nContent-Type: image/jpeg')
 */

export interface PartHeaders {
  /** Empty if absent. */
  name: string
  /** Media type in lower case, with its parameters; empty if absent. */
  type: string
  /** Whether it has a file name or an image type. */
  mayBeFile: boolean
  /** Empty if absent. */
  fileName: string
  /** False for an empty file name, which browsers send if the user chose no file. Then only content makes it a file. */
  isChosen: boolean
}

/**
 * Parses the relevant headers; the last of several with the same name counts. A line that begins with a space
 * continues the previous one.
 */
export function parsePartHeaders(text: string): PartHeaders {
  let disposition = ''
  let type = ''
  for (const line of text.replace(/\r\n[ \t]/g, ' ').split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim().toLowerCase()
    if (name === 'content-disposition') disposition = line.slice(colon + 1).trim()
    else if (name === 'content-type') type = line.slice(colon + 1).trim()
  }
  const parameters = parseParameters(disposition)
  const fileName = parameters.get('filename') ?? decodeExtended(parameters.get('filename*'))
  const mediaType = type.toLowerCase()
  return {
    name: parameters.get('name') ?? '',
    type: mediaType,
    mayBeFile: fileName !== undefined || mediaType.startsWith('image/'),
    // Browsers escape just these three characters.
    fileName: fileName?.replace(/%(?:22|0A|0D)/gi, (escaped) => decodeURIComponent(escaped)) ?? '',
    isChosen: fileName !== '',
  }
}

/** A value as RFC 8187 encodes it, such as `UTF-8''%CE%B1.pdf`. As it is, if it is malformed. */
function decodeExtended(value: string | undefined): string | undefined {
  try {
    return value && decodeURIComponent(value.replace(/^[^']*'[^']*'/, ''))
  } catch {
    return value
  }
}

/** Parameters by lower-case name, such as `name` in `form-data; name="photos"`. The first of the same name counts. */
export function parseParameters(header: string): Map<string, string> {
  const parameters = new Map<string, string>()
  for (let at = header.indexOf(';'); at >= 0 && at < header.length; ) {
    const next = indexOrEnd(header, ';', at + 1)
    const segment = header.slice(at + 1, next)
    const equals = segment.indexOf('=')
    const name = segment
      .slice(0, equals < 0 ? segment.length : equals)
      .trim()
      .toLowerCase()
    const { value, end } = equals < 0 ? { value: '', end: next } : valueAt(header, at + 2 + equals)
    if (name !== '' && !parameters.has(name)) parameters.set(name, value)
    at = indexOrEnd(header, ';', end)
  }
  return parameters
}

/** The value that begins at `start`, and its end. In quoted values, a backslash escapes a quotation mark. */
function valueAt(header: string, start: number): { value: string; end: number } {
  let at = start
  while (header[at] === ' ' || header[at] === '\t') at++
  if (header[at] !== '"') {
    const end = indexOrEnd(header, ';', at)
    return { value: header.slice(at, end).trim(), end }
  }
  let end = indexOrEnd(header, '"', at + 1)
  while (end < header.length && header[end - 1] === '\\') end = indexOrEnd(header, '"', end + 1)
  return { value: header.slice(at + 1, end).replaceAll('\\"', '"'), end }
}

function indexOrEnd(text: string, searched: string, from: number): number {
  const at = text.indexOf(searched, from)
  return at < 0 ? text.length : at
}

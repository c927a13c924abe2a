/**
 * The headers of a part of a form, and the parameters of any header. A text is cut into slices and never built character
 * by character, which would take many times its memory.
 *
 *     parseHeaders('Content-Disposition: form-data; name="photos"; filename="a.jpg"\r\nContent-Type: image/jpeg')
 */

/** What the headers of a part say. */
export interface PartHeaders {
  /** Empty where there is none. */
  name: string
  /** Media type in lower case, with its parameters; empty where there is none. */
  type: string
  /** Whether it has a file name or says to be a picture. */
  mayBeFile: boolean
  /** False for an empty file name, as browsers send it without a file: then there is one only if there is content. */
  isChosen: boolean
}

/** Reads the headers that matter; of two with the same name the last counts. A line that begins with a space goes on. */
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
  const fileName = parameters.get('filename') ?? parameters.get('filename*')
  const mediaType = type.toLowerCase()
  return {
    name: parameters.get('name') ?? '',
    type: mediaType,
    mayBeFile: fileName !== undefined || mediaType.startsWith('image/'),
    isChosen: fileName !== '',
  }
}

/** The parameters of a header, as `form-data; name="photos"` has them, by their names in lower case; the first counts. */
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

/** The value that begins at `start`, and where it ends. Within quotation marks a backslash stands before another. */
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

function indexOrEnd(text: string, wanted: string, from: number): number {
  const at = text.indexOf(wanted, from)
  return at < 0 ? text.length : at
}

/**
 * Shortens texts that may be very long. The result is a copy: a slice would keep the whole text in memory.
 *
 *     cutText('naïve', 3)      // 'naï'
 *     cutJson('naïve', 3)      // 'na', as ï takes two bytes
 */

/** The first `max` characters. A character is a code point, so an emoji counts as one. */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text
  return [...text.slice(0, 2 * max)].slice(0, max).join('')
}

/** The first characters that fit in `max` bytes of JSON in UTF-8, without the quotation marks. */
export function truncateJson(text: string, max: number): string {
  // A character takes at least one byte.
  const characters = [...truncateText(text, max)]
  let bytes = 0
  const end = characters.findIndex((character) => {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2
    return bytes > max
  })
  return end < 0 ? characters.join('') : characters.slice(0, end).join('')
}

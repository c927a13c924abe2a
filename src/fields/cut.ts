/**
 * The beginning of a text that may be far too long. It is in memory of its own: a slice would keep the whole text.
 *
 *     cutText('naïve', 3)      // 'naï'
 *     cutJson('naïve', 3)      // 'na', as ï takes two bytes
 */

/** The first `max` characters, of which an emoji is one. */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text
  return [...text.slice(0, 2 * max)].slice(0, max).join('')
}

/** As many characters as take at most `max` bytes of JSON in UTF-8, without the quotation marks around them. */
export function truncateJson(text: string, max: number): string {
  // A character takes a byte at least.
  const characters = [...truncateText(text, max)]
  let bytes = 0
  const end = characters.findIndex((character) => {
    bytes += Buffer.byteLength(JSON.stringify(character)) - 2
    return bytes > max
  })
  return end < 0 ? characters.join('') : characters.slice(0, end).join('')
}

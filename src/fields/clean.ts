/** Cleans text of strangers, which others read in lists, pages and mails. */

const LINE_BREAK = /\r\n?|[\u2028\u2029\u0085]/g
/** Characters that nothing shows, and those that reorder the text around them. */
const UNWANTED = /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu

/** `text` without control and bidirectional characters. Line breaks become `\n`, and tabs spaces. */
export function cleanLines(text: string): string {
  return text.replace(LINE_BREAK, '\n').replaceAll('\t', ' ').replace(UNWANTED, '')
}

/** The same in one line: line breaks become spaces. */
export function cleanLine(text: string): string {
  return cleanLines(text).replaceAll('\n', ' ')
}

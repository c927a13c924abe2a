/** Cuts a file of lines into portions that one call takes. */

/** Below the limits of the service, 1,000 lines and 8 MB. */
const MAX_LINES = 500
const MAX_CHARACTERS = 1_000_000

/** Some lines of a file. */
export interface Portion {
  /** Number of its first line in the file, counting from 1. */
  firstLine: number
  text: string
  /** Share of the file up to its end, from 0 to 1. */
  share: number
}

/** The lines of the file, in order. Never holds more than a portion and a line. */
export async function* portionsOf(file: Blob): AsyncGenerator<Portion> {
  let lines: string[] = []
  let firstLine = 1
  let characters = 0
  let read = 0
  let rest = ''
  const decoder = new TextDecoder()
  const reader = file.stream().getReader()
  const take = (): Portion => {
    const portion = { firstLine, text: lines.join('\n'), share: file.size === 0 ? 1 : read / file.size }
    firstLine += lines.length
    lines = []
    characters = 0
    return portion
  }
  for (;;) {
    const { done, value } = await reader.read()
    read += value?.byteLength ?? 0
    const parts = (rest + decoder.decode(value, { stream: !done })).split('\n')
    rest = done ? '' : (parts.pop() ?? '')
    for (const line of parts) {
      if (lines.length > 0 && (lines.length >= MAX_LINES || characters + line.length > MAX_CHARACTERS))
        yield take()
      lines.push(line)
      characters += line.length
    }
    if (done) break
  }
  if (lines.some((line) => line.trim() !== '')) yield { ...take(), share: 1 }
}

/** The lines of a portion from one on, by its number in the portion. */
export function portionFrom({ firstLine, text, share }: Portion, line: number): Portion {
  const left = text.split('\n').slice(line - 1)
  return { firstLine: firstLine + line - 1, text: left.join('\n'), share }
}

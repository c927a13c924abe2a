/** Texts of a line that were read in a wrong encoding before they were sent. */
import { isObject } from '../../http/request/object-keys.ts'

/** What a reader puts in the place of bytes that its encoding does not have. */
const REPLACEMENT = '\uFFFD'
const MAX_FIELDS = 10

/** The dotted names of the texts under `keys` that have such characters. */
export function misreadTexts(data: Record<string, unknown>, keys: ReadonlySet<string>): string[] {
  const found: string[] = []
  const search = (value: unknown, name: string) => {
    if (found.length === MAX_FIELDS) return
    if (typeof value === 'string') {
      if (value.includes(REPLACEMENT)) found.push(name)
    } else if (Array.isArray(value) || isObject(value)) {
      for (const [key, inner] of Object.entries(value)) search(inner, `${name}.${key}`)
    }
  }
  for (const [key, value] of Object.entries(data)) if (keys.has(key)) search(value, key)
  return found
}

/** Examples that were recorded from the running service, in the form that the document has them. */
import recorded from './examples.json' with { type: 'json' }
import type { Json } from './schemas.ts'

export interface Example {
  summary: string
  value: unknown
}

/** What was recorded of one operation. */
export interface Recorded {
  /** Bodies to send, by name. */
  request?: Record<string, Example>
  /** Bodies of success, by name. */
  reply?: Record<string, Example>
  /** Texts of errors by status. */
  errors?: Record<string, string[]>
}

/** What was recorded, by operation id. */
export type Examples = Record<string, Recorded>

export const EXAMPLES: Examples = recorded

/** `examples` of a media type. */
export function examplesOf(examples: Record<string, Example> | undefined): Json {
  return examples && Object.keys(examples).length > 0 ? { examples } : {}
}

/** Error texts as `examples` of a media type: whole bodies, named after their texts. */
export function errorExamples(status: number, texts: string[]): Json {
  const value = (text: string) => ({ status, error_message: text })
  const [first = '', ...others] = texts
  if (others.length === 0) return { example: value(first) }
  return { examples: Object.fromEntries(texts.map((text) => [nameFor(text), { value: value(text) }])) }
}

/** `Unknown store_id 999` → `unknownStoreId`. */
function nameFor(text: string): string {
  const [sentence = ''] = text.split(':')
  const words = sentence.match(/[a-z]+/gi) ?? []
  return words
    .slice(0, 6)
    .map((word, index) => (index === 0 ? word.toLowerCase() : capitalised(word.toLowerCase())))
    .join('')
}

/** `text` with a capital first letter. */
export function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

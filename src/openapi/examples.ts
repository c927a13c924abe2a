/** Examples that were recorded from the running service, in the format of the document. */

import { capitalised } from '../fields/values.ts'
import recorded from './examples.json' with { type: 'json' }
import type { Json } from './schemas.ts'

export interface Example {
  summary: string
  value: unknown
}

export interface Recorded {
  request?: Record<string, Example>
  /** Bodies of successful replies, by name. */
  reply?: Record<string, Example>
  /** Bodies of successful replies to visitors, by name. */
  visitors?: Record<string, Example>
  /** Messages of errors, by status. */
  errors?: Record<string, string[]>
}

export type Examples = Record<string, Recorded>

export const EXAMPLES: Examples = recorded

/** The key `examples` of a media type; empty if there are none. */
export function examplesOf(examples: Record<string, Example> | undefined): Json {
  return examples && Object.keys(examples).length > 0 ? { examples } : {}
}

/** Error messages as examples of a media type: complete bodies, named after their messages. */
export function errorExamples(status: number, texts: string[]): Json {
  const value = (text: string) => ({ status, error_message: text })
  const [first = '', ...others] = texts
  if (others.length === 0) return { example: value(first) }
  return { examples: Object.fromEntries(texts.map((text) => [nameFor(text), { value: value(text) }])) }
}

/** `Unknown store_id 999` → `unknownStoreId`. */
function nameFor(text: string): string {
  const [sentence = ''] = text.split(':')
  return (sentence.match(/[a-z]+/gi) ?? [])
    .slice(0, 6)
    .map((word, index) => (index === 0 ? word.toLowerCase() : capitalised(word.toLowerCase())))
    .join('')
}

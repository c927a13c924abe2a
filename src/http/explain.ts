/** What is wrong with a value, in words: Zod's issues as problems of the envelope. */
import type { z } from 'zod'
import type { Problem } from './errors.ts'

/** What `issue` says of the field `name` (dotted). */
export function toProblem(name: string, issue: z.core.$ZodIssue): Problem {
  const path = issue.path.map(String)
  // A list of plain values is one field; a list of objects names the object and its key.
  if (path.length === 1 && typeof issue.path[0] === 'number') path.pop()
  const field = [name, ...path].join('.')
  return { field, message: `Invalid ${field}: ${explain(issue)}` }
}

const TYPE_NAMES: Record<string, string> = {
  int: 'an integer',
  number: 'a number',
  string: 'text',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
}

function explain(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.message.startsWith('must be')) return issue.message
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'too_small':
      return issue.origin === 'array' ? 'must not be empty' : `must be at least ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
    case 'invalid_union': {
      const branches = issue.errors.map((errors) => errors[0]).filter((first) => first !== undefined)
      const best = branches.toSorted((a, b) => progressOf(b) - progressOf(a))[0]
      return best ? explain(best) : issue.message
    }
    default:
      return issue.message
  }
}

/** How far a branch of a union got: for a list the one of the list explains best, else the plain value's. */
function progressOf(issue: z.core.$ZodIssue): number {
  return issue.path.length + (issue.code === 'too_big' && issue.origin === 'array' ? 1 : 0)
}

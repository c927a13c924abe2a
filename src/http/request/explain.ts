/**
 * Messages for Zod's issues, and the conversion of issues to problems.
 *
 *     const { error } = schema.safeParse(value, { error: messageOf })
 *     const problems = error.issues.map((issue) => toProblem('price', issue))
 */
import type { z } from 'zod'
import type { Problem } from '../errors.ts'

/** The problem for an issue of the field `name` (dotted). For an entry of a list, the field includes the index. */
export function toProblem(name: string, issue: z.core.$ZodIssue): Problem {
  const field = [name, ...issue.path, ...fieldPathOf(issue)].map(String).join('.')
  return { field, message: issue.message === '' ? `Invalid ${field}` : `Invalid ${field}: ${issue.message}` }
}

/** The path inside a list at which the closest branch of a union has its issue. */
function fieldPathOf(issue: z.core.$ZodIssue): PropertyKey[] {
  const best = issue.code === 'invalid_union' ? closestBranch(issue) : undefined
  return best && typeof best.path[0] === 'number' ? [...best.path, ...fieldPathOf(best)] : []
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

/** The second half of `Invalid price: must be …`, for schemas without a message of their own. */
export const messageOf: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPE_NAMES[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `must be one of ${issue.values.join(', ')}`
    case 'too_small':
      return issue.origin === 'array' ? 'must not be empty' : `must be at least ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'array') return `must have at most ${issue.maximum} entries`
      return `must be at most ${issue.maximum}${issue.origin === 'string' ? ' characters' : ''}`
    case 'invalid_union':
      return closestBranch(issue)?.message
    case 'custom':
      return ''
    default:
      return undefined
  }
}

/** The first issue of the branch that the value matches best. */
function closestBranch({
  errors,
}: Pick<z.core.$ZodIssueInvalidUnion, 'errors'>): z.core.$ZodIssue | undefined {
  const branches = errors.map(([first]) => first).filter((first) => first !== undefined)
  return branches.toSorted((a, b) => progressOf(b) - progressOf(a))[0]
}

/** How well the value matches a branch. A list that is too long matches the list branch best. */
function progressOf(issue: z.core.$ZodIssue): number {
  return issue.path.length + (issue.code === 'too_big' && issue.origin === 'array' ? 1 : 0)
}

/**
 * The canonical order of what a visitor sends. Answers are made from it and kept under it, so that calls that differ in
 * order only share one answer, down to its headers.
 */
import { isObject } from './object-keys.ts'

/** A copy of `object` whose keys are sorted, at every depth. Lists keep their order. */
export function canonicalObject(object: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries(object).toSorted(([a], [b]) => compare(a, b))
  return Object.fromEntries(entries.map(([key, value]) => [key, canonicalValue(value)]))
}

function canonicalValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonicalValue)
  return isObject(value) ? canonicalObject(value) : value
}

function compare(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}

/**
 * What the contract declares of a field is enforced, in every body, every list of filters and every line of an import: its type, its limits, the
 * names of its values, and that it is required. `test/contract.json` shows what is declared.
 */
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { FEATURE_GROUPS } from '../../../src/catalogue/features.ts'
import { checkObject } from '../../../src/http/request/check.ts'
import type { Schema } from '../../support/bodies.ts'
import { INPUTS } from '../send.ts'

type Path = (string | number)[]
type Declared = Schema & { $defs?: Record<string, Declared>; maxItems?: number; minLength?: number }

/** Values of any type; a field refuses those of all types but its own. */
const VALUES: Record<string, unknown> = {
  string: 'x',
  integer: 1,
  number: 1.5,
  boolean: true,
  object: { x: {} },
}

/** The alternatives of a schema, without null. */
function choicesOf(declared: Declared, defs: Record<string, Declared>): Declared[] {
  const { $ref, anyOf, ...own } = declared
  const target = $ref ? { ...defs[$ref.replace('#/$defs/', '')], ...own } : { ...own, anyOf }
  if (target.anyOf) return target.anyOf.flatMap((choice) => choicesOf(choice, defs))
  return target.type === 'null' ? [] : [target]
}

/** Each field within `choices`, with values that what is declared of it excludes. */
function wrongsOf(choices: Declared[], defs: Record<string, Declared>, path: Path): [Path, unknown][] {
  const types = choices.flatMap(({ type = [] }) => type)
  if (types.length < choices.length) return []
  const accepts = (type: string) => types.includes(type) || (type === 'integer' && types.includes('number'))
  const wrong: unknown[] = Object.entries(VALUES).flatMap(([type, value]) => (accepts(type) ? [] : [value]))
  const [only] = choices
  if (choices.length > 1 || !only) return wrong.map((value) => [path, value])
  const { type, minimum, maximum, maxLength, maxItems, properties = {}, required = [], items } = only
  if (type === 'integer') wrong.push(1.5)
  if (only.enum && !areFeatures(path)) wrong.push('nothing')
  if (minimum !== undefined) wrong.push(minimum - 1)
  if (maximum !== undefined) wrong.push(maximum + 1)
  if (maxLength !== undefined) wrong.push('x'.repeat(maxLength + 1))
  if (maxItems !== undefined) wrong.push(Array(maxItems + 1).fill(null))
  return [
    ...wrong.map((value): [Path, unknown] => [path, value]),
    ...required
      .filter((key) => !JSON.stringify(properties[key]).includes('"null"'))
      .map((key): [Path, unknown] => [[...path, key], null]),
    ...Object.entries(properties).flatMap(([key, field]) =>
      wrongsOf(choicesOf(field, defs), defs, [...path, key]),
    ),
    ...(items ? wrongsOf(choicesOf(items, defs), defs, [...path, 0]) : []),
  ]
}

/** Which features a record may have depends on its kind, so that they are not judged by the schema alone. */
const areFeatures = (path: Path) => FEATURE_GROUPS.some((group) => group === path.at(-2))

/** A body with one value. */
const bodyWith = (path: Path, value: unknown) =>
  path.reduceRight<unknown>((inner, key) => (key === 0 ? [inner] : { [key]: inner }), value) as Record<
    string,
    unknown
  >

describe.each(INPUTS)('%s', (_, schema) => {
  const declared = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Declared

  it('refuses of each field what it declares not to take', () => {
    const fields = Object.entries(declared.properties ?? {}).flatMap(([key, field]) =>
      wrongsOf(choicesOf(field, declared.$defs ?? {}), declared.$defs ?? {}, [key]),
    )
    const taken = fields.filter(
      ([path, value]) => !checkObject(schema, bodyWith(path, value)).isRefused(path.join('.')),
    )
    expect(taken.map(([path, value]) => [path.join('.'), JSON.stringify(value).slice(0, 40)])).toEqual([])
  })

  it('refuses a body without what it declares to be required', () => {
    const { required = [], properties = {} } = declared
    const draft = checkObject(schema, {})
    expect(required.filter((name) => properties[name]?.type && !draft.isRefused(name))).toEqual([])
  })
})

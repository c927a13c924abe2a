/**
 * Derives schemas, columns, rows and replies from the fields of the catalogue.
 *
 *     const table = sqliteTable('offers', columns(offer, { stores }))
 *     const body = z.object(inputs(offer))
 *     const reply = z.object(outputs(offer))
 *     const row = toRow(offer, body.parse(…))
 *     present(offer, row)
 *
 * Results are built key by key, so TypeScript cannot infer their types. The casts use the mapped types of `field.ts`.
 */
import type { AnySQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { z } from 'zod'
import type {
  Body,
  Columns,
  Field,
  Fields,
  Inputs,
  Nones,
  Outputs,
  PublicOf,
  Row,
  Shown,
  Targets,
  UnassignedRow,
  Values,
} from './field.ts'

/** Note in the documentation of a field that the standard representation omits. */
export const WITH_ALL = 'Only with `fields=all`'

/** The input schemas of `fields`, which are optional unless the field is required. */
export function inputs<F extends Fields>(fields: F) {
  return mapFields(fields, ({ input, required }) => (required ? input : input.optional())) as Inputs<F>
}

/** The output schemas of `fields`. Those that the standard representation omits are optional. */
export function outputs<F extends Fields>(fields: F) {
  return mapFields(fields, (field) => withoutAll(field, field.output)) as Outputs<F>
}

/** Output schemas that also state the bounds of the input. */
export function boundedOutputs<F extends Fields>(fields: F) {
  return mapFields(fields, (field) => withoutAll(field, field.stored)) as Outputs<F>
}

/**
 * A column for each of `fields`.
 * @param targets the tables that foreign keys among `fields` refer to, by name
 */
export function columns<F extends Fields>(
  fields: F,
  ...[targets]: Record<never, never> extends Targets<F> ? [] : [Targets<F>]
): Columns<F> {
  const tables = new Map<string, { id: AnySQLiteColumn } | null>(Object.entries(targets ?? {}))
  const built = Object.entries(fields).map(([name, { column, storedAs = name, to = '' }]) => {
    const target = tables.get(to)
    return [storedAs, column(target ? () => target.id : undefined)]
  })
  return Object.fromEntries(built) as Columns<F>
}

/** The values of `body` for `fields`, by column. Absent and undefined values are left out. */
export function pick<F extends Fields>(fields: F, body: Partial<Body<F>>): Partial<Row<F>> {
  const sent: Record<string, unknown> = body
  const picked: Record<string, unknown> = {}
  for (const name in fields) {
    if (sent[name] !== undefined) picked[fields[name]?.storedAs ?? name] = sent[name]
  }
  return picked as Partial<Row<F>>
}

/** The "none" values of `fields`: a record without any values. */
export function blankRecord<F extends Fields>(fields: F): Nones<F> {
  return mapFields(fields, ({ none }) => none) as Nones<F>
}

/** The row for a validated body, with "none" for absent fields. Assigned fields are left to the caller. */
export function toRow<F extends Fields>(fields: F, body: Body<F>): UnassignedRow<F> {
  const sent = new Map<string, unknown>(Object.entries(body))
  const decided = Object.entries(fields).filter(([, field]) => !field.assigned)
  const row = decided.map(([name, { storedAs = name, none }]) => [storedAs, sent.get(name) ?? none])
  return Object.fromEntries(row) as UnassignedRow<F>
}

/**
 * Presents `fields` of a stored row, with "none" for missing values. Write-only fields are included if `all` is set.
 */
export function present<F extends Fields>(fields: F, row: Partial<Row<F>>, all = true): Shown<F> {
  const stored: Record<string, unknown> = row
  const shown: Record<string, unknown> = {}
  for (const { name, column, none, show, writeOnly } of planOf(fields)) {
    if (writeOnly && !all) continue
    const value = stored[column] ?? none
    shown[name] = show && value !== null ? show(value) : value
  }
  return shown as Shown<F>
}

/** What `present` needs to know about a field. Reading objects of one shape is about twice as fast. */
interface Plan {
  name: string
  column: string
  none: unknown
  show: ((value: unknown) => unknown) | undefined
  writeOnly: boolean
}

const plans = new WeakMap<Fields, Plan[]>()

function planOf(fields: Fields): Plan[] {
  let plan = plans.get(fields)
  if (!plan) {
    plan = Object.entries(fields).map(([name, { storedAs = name, none, show, writeOnly = false }]) => ({
      name,
      column: storedAs,
      none,
      show,
      writeOnly,
    }))
    plans.set(fields, plan)
  }
  return plan
}

/** Those of `fields` that visitors may see. */
export function publicFields<F extends Fields>(fields: F): PublicOf<F> {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field.public)) as PublicOf<F>
}

/** Output schemas of `fields` that replies always contain. */
export function wholeOutputs<F extends Fields>(fields: F) {
  return mapFields(fields, ({ output }) => output) as { [K in keyof F]: F[K]['output'] }
}

/** Input schemas for an object that is stored as parsed: an absent field becomes "none". */
export function wholeInputs<F extends Fields>(fields: F) {
  return mapFields(fields, ({ input, required, none }) =>
    required ? input : input.optional().transform((value) => value ?? none),
  ) as { [K in keyof F]: z.ZodType<Values<F>[K]> }
}

function withoutAll({ writeOnly, doc }: Field, output: z.ZodType): z.ZodType {
  return writeOnly ? output.optional().describe(`${doc}. ${WITH_ALL}`) : output
}

function mapFields<R>(fields: Fields, transform: (field: Field) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, transform(field)]))
}

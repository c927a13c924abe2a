/**
 * How a field is declared: a kind and facts, no conditions.
 *
 *     const core = { rooms: count({ doc: 'Number of rooms', landNull: true }) }
 *     const body = z.object(inputs(core))
 *     const table = sqliteTable('listings', columns(core))
 *     pick(core, body), present(core, row, false)
 *
 * A kind says how a value comes in, how it goes out and in which column it rests.
 */
import { integer, real, type SQLiteColumnBuilderBase, text as textColumn } from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import * as values from './values.ts'

/** What is true of a field beside its kind. */
export interface Facts {
  /** One sentence for the documentation, with the unit. */
  doc: string
  /** Stored as null when it is sent for land. */
  landNull?: true
  /** Accepted and stored, but read back only with `?fields=all`. */
  writeOnly?: true
  /** The table that an id refers to. */
  to?: string
}

export interface Field<T = unknown, Column extends SQLiteColumnBuilderBase = SQLiteColumnBuilderBase>
  extends Facts {
  /** Accepts a value or null; null and an empty text clear the field. */
  input: z.ZodType<T>
  output: z.ZodType<T>
  /** A fresh column, nullable unless the kind has a value for "none". */
  column: () => Column
  /** What an absent value reads as. */
  none: T
}

/** For the documentation of what the standard form leaves out. */
export const WITH_ALL = 'Only with `fields=all`'

export type Fields = Record<string, Field>
type Value<F> = F extends Field<infer T> ? T : never
type ColumnOf<F> = F extends { column: () => infer C } ? C : never
export type Values<F extends Fields> = { [K in keyof F]: Value<F[K]> }

/** An integer of at least 0: a count, a price, metres. */
export const count = (facts: Facts) => nullable(facts, values.count(), () => integer())

/** A number of any sign. */
export const number = (facts: Facts) => nullable(facts, z.number(), () => real())

/** A number of at least 0 with decimals. */
export const measure = (facts: Facts) => nullable(facts, values.measure(), () => real())

/** The id of a record in another table; whoever stores it looks whether the record exists. */
export const reference = (facts: Facts & { to: string }) => nullable(facts, values.id(), () => integer())

/** Text up to 255 characters. */
export const text = (facts: Facts) => textUpTo(values.SHORT_TEXT, facts)

/** A URL up to 2,048 characters; what stands in it is not judged. */
export const longUrl = (facts: Facts) => textUpTo(values.LONG_URL, facts)

const textUpTo = (max: number, facts: Facts) => ({
  ...nullable(facts, values.text(max), () => textColumn()),
  input: describe(values.optionalText(max).nullable(), facts),
})

/** A calendar day. */
export const date = (facts: Facts) => nullable(facts, values.date(), () => textColumn())

/** A moment in UTC. */
export const dateTime = (facts: Facts) => nullable(facts, values.dateTime(), () => textColumn())

/** One of a closed set. */
export const choice = <const V extends readonly [string, ...string[]]>(options: V, facts: Facts) =>
  nullable(facts, values.choice(options), () => textColumn().$type<V[number]>())

/** Yes or no; never null: null means no. */
export const flag = (facts: Facts) => ({
  ...facts,
  input: describe(
    z
      .boolean()
      .nullable()
      .transform((value) => value ?? false),
    facts,
  ),
  output: describe(z.boolean(), facts),
  column: () => integer({ mode: 'boolean' }).notNull().default(false),
  none: false,
})

/** The input schemas of `fields`, all optional. */
export function inputs<F extends Fields>(fields: F) {
  return mapFields(fields, (field) => field.input.optional()) as {
    [K in keyof F]: z.ZodOptional<z.ZodType<Value<F[K]>>>
  }
}

/** The output schemas of `fields`; those that the standard form leaves out are optional. */
export function outputs<F extends Fields>(fields: F) {
  return mapFields(fields, ({ output, writeOnly, doc }) =>
    writeOnly ? output.optional().describe(`${doc}. ${WITH_ALL}`) : output,
  ) as {
    [K in keyof F]: z.ZodType<Value<F[K]>>
  }
}

/** A column for each of `fields`. */
export function columns<F extends Fields>(fields: F) {
  return mapFields(fields, (field) => field.column()) as { [K in keyof F]: ColumnOf<F[K]> }
}

/** What `record` has of `fields`: a name that it has not, or has as undefined, stays out. */
export function pick<F extends Fields>(fields: F, record: Partial<Values<F>>): Partial<Values<F>> {
  const picked: Partial<Values<F>> = {}
  for (const name in fields) if (record[name] !== undefined) picked[name] = record[name]
  return picked
}

/** What a record has that was given none of `fields`. */
export function blank<F extends Fields>(fields: F): Values<F> {
  return mapFields(fields, ({ none }) => none) as Values<F>
}

/** Every one of `fields` from a stored record, "none" where it has no value; write-only ones only with `all`. */
export function present<F extends Fields>(
  fields: F,
  record: Partial<Values<F>>,
  all: boolean,
): Partial<Values<F>> {
  const shown: Partial<Values<F>> = {}
  // A page presents thousands of fields: no intermediate list is worth its cost here.
  for (const name in fields) {
    const field = fields[name]
    if (field && (all || !field.writeOnly)) shown[name] = record[name] ?? (field.none as Value<typeof field>)
  }
  return shown
}

function nullable<T, C extends SQLiteColumnBuilderBase>(facts: Facts, schema: z.ZodType<T>, column: () => C) {
  const described = describe(schema.nullable(), facts)
  return { ...facts, input: described, output: described, column, none: null as T | null }
}

function describe<S extends z.ZodType>(schema: S, { doc }: Facts): S {
  return schema.describe(doc)
}

function mapFields<R>(fields: Fields, transform: (field: Field, name: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, transform(field, name)]))
}

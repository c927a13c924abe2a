/**
 * How a field is declared: a kind and facts, no conditions.
 *
 *     const offer = {
 *       id: key({ doc: 'Id of the offer' }),
 *       store_id: reference({ doc: 'Office', to: 'stores', required: true }),
 *       loan_percentage: count({ doc: 'Share of the price that a loan pays; 0 when there is none', none: 0 }),
 *     }
 *     const table = sqliteTable('offers', columns(offer, { stores }))
 *     const body = z.object(inputs(offer))
 *     const reply = z.object(outputs(offer))
 *     const row = toRow(offer, body.parse(…))
 *     present(offer, row)
 *
 * A kind says how a value comes in, how it goes out and which column stores it.
 */
import {
  type AnySQLiteColumn,
  integer,
  real,
  type SQLiteColumnBuilder,
  text as textColumn,
} from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import type {
  Body,
  Columns,
  Declared,
  Facts,
  Field,
  Fields,
  Inputs,
  Known,
  Nones,
  Outputs,
  Row,
  Shown,
  Targets,
  UnassignedRow,
  Values,
} from './field.ts'
import { amountText, formatCents, amount as inCents } from './money.ts'
import * as values from './values.ts'

/** For the documentation of what the standard form leaves out. */
export const WITH_ALL = 'Only with `fields=all`'

interface Bounds {
  min?: number
  max?: number
}

type NumberFacts = Facts<number> & Bounds
type ReferenceFacts = Facts<number> & { to: string }
type TextFacts = Facts<string> & {
  /** Most characters; 255 when absent. */
  max?: number
}
type EntriesFacts = Facts & {
  /** Name of an entry in the documentation, and what it is. */
  entry: { name: string; doc: string }
  max: number
  /** Most bytes of all entries together. */
  bytes: number
}

/** The id of a record: the primary key of its table. */
export const key = (facts: { doc: string }) =>
  field(
    { ...facts, required: true },
    { schema: values.id(), output: z.int(), column: () => integer().primaryKey() },
  )

/** An integer of at least 0: a count, a price, metres. */
export const count = <const F extends NumberFacts>(facts: Known<F, NumberFacts>) => {
  const { min = 0, max }: Bounds = facts
  return field(facts, {
    schema: within({ min, max }, values.int()),
    output: z.int(),
    column: () => integer(),
  })
}

/** A number of any sign. */
export const number = <const F extends NumberFacts>(facts: Known<F, NumberFacts>) =>
  field(facts, { schema: within(facts, z.number()), output: z.number(), column: () => real() })

/** A number of at least 0 with decimals. */
export const measure = <const F extends NumberFacts>(facts: Known<F, NumberFacts>) =>
  field(facts, { schema: within(facts, values.measure()), output: z.number(), column: () => real() })

/** The id of a record in another table; whoever stores it looks whether the record exists. */
export const reference = <const F extends ReferenceFacts>(facts: Known<F, ReferenceFacts>) =>
  field(facts, {
    schema: values.id(),
    output: z.int(),
    column: (target) => (target ? integer().references(target) : integer()),
  })

/** An amount of money: decimal text in replies, integer cents in its column. */
export const amount = <const F extends Facts<number>>(facts: Known<F, Facts<number>>) =>
  field(facts, {
    schema: inCents(),
    output: amountText(),
    column: () => integer(),
    show: formatCents,
  })

/** A number of at least 0 with two decimals, stored as the text that replies show. */
export const decimal = <const F extends Facts<string>>(facts: Known<F, Facts<string>>) =>
  field(facts, {
    schema: inCents().transform(formatCents),
    output: amountText(),
    column: () => textColumn(),
  })

/** Text, of up to 255 characters unless `max` says otherwise. */
export const text = <const F extends TextFacts>(facts: Known<F, TextFacts>) => {
  const { max = values.SHORT_TEXT, required, none }: TextFacts = facts
  const schema = values.text(max)
  const filled = required ? values.filledText(max) : schema
  return field(facts, {
    schema,
    // An empty text is a value only where it is the one for "none".
    input: required || none !== undefined ? filled : values.optionalText(max),
    output: z.string(),
    column: () => textColumn(),
  })
}

/** A colour: `#rrggbb`, also with three, four or eight digits. */
export const color = <const F extends Facts<string>>(facts: Known<F, Facts<string>>) =>
  field(facts, {
    schema: z.string().regex(/^#[0-9a-f]{3,8}$/i, 'must be a hex colour, #rrggbb'),
    output: z.string(),
    column: () => textColumn(),
  })

/** A URL up to 2,048 characters; what stands in it is not judged. */
export const longUrl = <const F extends Facts<string>>(facts: Known<F, Facts<string>>) =>
  text({ ...facts, max: values.LONG_URL })

/** A calendar day. */
export const date = <const F extends Facts<string>>(facts: Known<F, Facts<string>>) =>
  field(facts, { schema: values.date(), output: values.date(), column: () => textColumn() })

/** A moment in UTC. */
export const dateTime = <const F extends Facts<string>>(facts: Known<F, Facts<string>>) =>
  field(facts, { schema: values.dateTime(), output: values.dateTime(), column: () => textColumn() })

/** One of a closed set. */
export const choice = <const V extends readonly [string, ...string[]], const F extends Facts<V[number]>>(
  options: V,
  facts: Known<F, Facts<V[number]>>,
) =>
  field(facts, {
    schema: values.choice(options),
    output: values.choice(options),
    column: () => textColumn().$type<V[number]>(),
  })

/** Yes or no. Never null: what is left out, or null, means no, unless a body is required to say. */
export const flag = <const F extends Facts<boolean>>(facts: Known<F, Facts<boolean>>) =>
  field(
    { none: false, ...facts },
    { schema: z.boolean(), output: z.boolean(), column: () => integer({ mode: 'boolean' }) },
  )

/** A list of small objects, each with `fields`, in one JSON column; none is an empty list. */
export function entries<E extends Fields>(fields: E, facts: EntriesFacts) {
  const { name, doc: description } = facts.entry
  const entry = z.object(wholeInputs(fields)).meta({ id: `${name}Input`, description })
  const shown = z.object(outputs(fields)).meta({ id: name, description })
  return field(
    { ...facts, none: [] as Values<E>[] },
    {
      schema: values.list(entry, facts),
      output: z.array(shown),
      column: () => textColumn({ mode: 'json' }).$type<Values<E>[]>(),
    },
  )
}

/** The input schemas of `fields`: optional, but for the required ones. */
export function inputs<F extends Fields>(fields: F) {
  return mapFields(fields, ({ input, required }) => (required ? input : input.optional())) as Inputs<F>
}

/** The output schemas of `fields`; those that the standard form leaves out are optional. */
export function outputs<F extends Fields>(fields: F) {
  return mapFields(fields, (field) => withoutAll(field, field.output)) as Outputs<F>
}

/** The same for replies that promise the bounds of bodies, too. */
export function boundedOutputs<F extends Fields>(fields: F) {
  return mapFields(fields, (field) => withoutAll(field, field.stored)) as Outputs<F>
}

/**
 * A column for each of `fields`.
 * @param targets the tables that ids in them refer to by a foreign key
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

/** What `body` has of `fields`, by column: a name that it has not, or has as undefined, stays out. */
export function pick<F extends Fields>(fields: F, body: Partial<Body<F>>): Partial<Row<F>> {
  const sent: Record<string, unknown> = body
  const picked: Record<string, unknown> = {}
  for (const name in fields) {
    if (sent[name] !== undefined) picked[fields[name]?.storedAs ?? name] = sent[name]
  }
  return picked as Partial<Row<F>>
}

/** What a record has that was given none of `fields`. */
export function blank<F extends Fields>(fields: F): Nones<F> {
  return mapFields(fields, ({ none }) => none) as Nones<F>
}

/** The row that a checked body makes: "none" where it leaves a field out. Assigned fields are left to the caller. */
export function toRow<F extends Fields>(fields: F, body: Body<F>): UnassignedRow<F> {
  const sent = new Map<string, unknown>(Object.entries(body))
  const assigned = Object.entries(fields).filter(([, field]) => !field.assigned)
  const row = assigned.map(([name, { storedAs = name, none }]) => [storedAs, sent.get(name) ?? none])
  return Object.fromEntries(row) as UnassignedRow<F>
}

/** Every one of `fields` from a stored row, "none" where it has no value; write-only ones only with `all`. */
export function present<F extends Fields>(fields: F, row: Partial<Row<F>>, all = true): Shown<F> {
  const stored: Record<string, unknown> = row
  const shown: Record<string, unknown> = {}
  // A page presents thousands of fields: no intermediate list is worth its cost here.
  for (const name in fields) {
    const field = fields[name]
    if (!field || (field.writeOnly && !all)) continue
    const value = stored[field.storedAs ?? name] ?? field.none
    shown[name] = field.show && value !== null ? field.show(value) : value
  }
  return shown as Shown<F>
}

/** What a kind is made of. `T` is the value that is stored, `S` the one in replies. */
interface Kind<T, C, S> {
  schema: z.ZodType<T>
  /** What bodies take, where it is not `schema`. */
  input?: z.ZodType<T | null>
  output: z.ZodType<S>
  column: (target?: () => AnySQLiteColumn) => C
  show?: (value: T) => S
}

/** A field of a kind; the cast says what TypeScript cannot follow: that facts decide on the types. */
function field<T, S, C extends SQLiteColumnBuilder, F extends Facts>(facts: F, kind: Kind<T, C, S>) {
  const { doc, required, assigned, none } = facts
  const { schema, input = schema, output, column, show } = kind
  const isFilled = required || assigned
  const canBeNull = !isFilled && none === undefined
  return {
    ...facts,
    input: (required ? input : noneFor(input, none)).describe(doc),
    stored: (canBeNull ? schema.nullable() : schema).describe(doc),
    output: (canBeNull ? output.nullable() : output).describe(doc),
    column: (target?: () => AnySQLiteColumn) => {
      const made: SQLiteColumnBuilder = column(target)
      if (canBeNull) return made
      return isFilled ? made.notNull() : made.notNull().default(none)
    },
    none: none ?? null,
    show,
  } as unknown as Declared<T, F, C, S>
}

/** Null means `none`, where there is a value for it. */
function noneFor<T>(input: z.ZodType<T | null>, none: unknown): z.ZodType {
  return none === undefined ? input.nullable() : input.nullable().transform((value) => value ?? none)
}

/** The schemas of an object that is stored as it is: what is left out becomes "none". */
function wholeInputs<F extends Fields>(fields: F) {
  return mapFields(fields, ({ input, required, none }) =>
    required ? input : input.optional().transform((value) => value ?? none),
  ) as { [K in keyof F]: z.ZodType<Values<F>[K]> }
}

function withoutAll({ writeOnly, doc }: Field, output: z.ZodType): z.ZodType {
  return writeOnly ? output.optional().describe(`${doc}. ${WITH_ALL}`) : output
}

function within({ min, max }: Bounds, schema: z.ZodNumber): z.ZodNumber {
  const bounded = min === undefined ? schema : schema.min(min)
  return max === undefined ? bounded : bounded.max(max)
}

function mapFields<R>(fields: Fields, transform: (field: Field) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, transform(field)]))
}

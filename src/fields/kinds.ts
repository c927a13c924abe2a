/**
 * The kinds of fields. A field is declared by a kind and its facts.
 *
 *     const offer = {
 *       id: key({ doc: 'Id of the offer' }),
 *       store_id: reference({ doc: 'Office', to: 'stores', required: true }),
 *       loan_percentage: count({ doc: 'Share of the price paid by a loan; 0 when there is none', none: 0 }),
 *     }
 *
 * A kind defines the input schema, the output schema, the column and the presentation of a value.
 */
import {
  type AnySQLiteColumn,
  integer,
  real,
  type SQLiteColumnBuilder,
  text as textColumn,
} from 'drizzle-orm/sqlite-core'
import { z } from 'zod'
import { onlyChangedBy } from './changed-by.ts'
import { outputs, wholeInputs } from './derive.ts'
import type { DeclaredField, Facts, Fields, Known, Values } from './field.ts'
import { amountText, formatCents, amount as inCents } from './money.ts'
import * as values from './values.ts'

interface Bounds {
  min?: number
  max?: number
}

type NumberFacts = Facts<number> & Bounds
type ReferenceFacts = Facts<number> & { to: string }
type UrlFacts = Facts<string> & { person: boolean }
/** Text of strangers is cleaned before it is checked and stored. */
type CleanFacts = UrlFacts & { clean?: (text: string) => string }
type TextFacts = CleanFacts & {
  /** Maximum number of characters; 255 by default. */
  max?: number
}
type EntriesFacts = Facts & {
  /** Name and description of an entry in the documentation. */
  entry: { name: string; doc: string }
  max: number
  /** Maximum size of all entries together, in bytes of JSON. */
  bytes: number
}
type CleanEntries<E extends Fields> = {
  /** Changes the list before it is stored. */
  clean?: (entries: Values<E>[]) => Values<E>[]
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

/** A number with any sign. */
export const number = <const F extends NumberFacts>(facts: Known<F, NumberFacts>) =>
  field(facts, { schema: within(facts, z.number()), output: z.number(), column: () => real() })

/** A number of at least 0, with decimals. */
export const measure = <const F extends NumberFacts>(facts: Known<F, NumberFacts>) =>
  field(facts, { schema: within(facts, values.measure()), output: z.number(), column: () => real() })

/** The id of a record in another table. The write path checks that the record exists. */
export const reference = <const F extends ReferenceFacts>(facts: Known<F, ReferenceFacts>) =>
  field(facts, {
    schema: values.id(),
    output: z.int(),
    column: (target) => (target ? integer().references(target) : integer()),
  })

/** An amount of money: integer cents in the column, decimal text in replies. */
export const amount = <const F extends Facts<number>>(facts: Known<F, Facts<number>>) =>
  field(facts, {
    schema: inCents(),
    output: amountText(),
    column: () => integer(),
    show: formatCents,
  })

/** A number of at least 0 with two decimals, stored as the text that replies contain. */
export const decimal = <const F extends Facts<string>>(facts: Known<F, Facts<string>>) =>
  field(facts, {
    schema: inCents().transform(formatCents),
    output: amountText(),
    column: () => textColumn(),
  })

/** Text of at most 255 characters, or of `max`. */
export const text = <const F extends TextFacts>(facts: Known<F, TextFacts>) => {
  const { max = values.SHORT_TEXT, required, none, clean }: TextFacts = facts
  const schema = values.text(max, clean)
  const filled = required ? values.filledText(max, clean) : schema
  return field(facts, {
    schema,
    // Empty text is a value only if the field has a "none".
    input: required || none !== undefined ? filled : values.optionalText(max, clean),
    output: z.string(),
    column: () => textColumn(),
  })
}

/** A colour, `#rrggbb`; three, four and eight digits are accepted as well. */
export const color = <const F extends Facts<string>>(facts: Known<F, Facts<string>>) =>
  field(facts, {
    schema: z.string().regex(/^#[0-9a-f]{3,8}$/i, 'must be a hex colour, #rrggbb'),
    output: z.string(),
    column: () => textColumn(),
  })

/** A URL of at most 2,048 characters, which is not validated. */
export const longUrl = <const F extends UrlFacts>(facts: Known<F, UrlFacts>) =>
  text({ ...facts, max: values.LONG_URL })

/** An e-mail address of at most 254 characters; spaces around it are removed. */
export const email = <const F extends CleanFacts>(facts: Known<F, CleanFacts>) =>
  formatted(
    cleanedBy((text) => text.trim(), facts),
    values.EMAIL,
    values.EMAIL_TEXT,
  )

/** A phone number of at most 40 characters: digits, spaces and `+-()./`, and an extension. */
export const phone = <const F extends CleanFacts>(facts: Known<F, CleanFacts>) =>
  formatted(cleanedBy(values.plainPhone, facts), values.PHONE, values.PHONE_TEXT)

/** An http or https URL of at most 2,048 characters, which pages may link to. */
export const webUrl = <const F extends UrlFacts>(facts: Known<F, UrlFacts>) =>
  formatted(facts, values.WEB_URL, values.LONG_URL)

/** The same without credentials and backslashes, which hide where a URL leads. */
export const plainWebUrl = <const F extends CleanFacts>(facts: Known<F, CleanFacts>) =>
  formatted(facts, values.PLAIN_WEB_URL, values.LONG_URL)

/** A calendar day. */
export const date = <const F extends Facts<string>>(facts: Known<F, Facts<string>>) =>
  field(facts, { schema: values.date(), output: values.date(), column: () => textColumn() })

/** A date-time in UTC. */
export const dateTime = <const F extends Facts<string>>(facts: Known<F, Facts<string>>) =>
  field(facts, { schema: values.dateTime(), output: values.dateTime(), column: () => textColumn() })

/** One value of an enumeration. */
export const choice = <const V extends readonly [string, ...string[]], const F extends Facts<V[number]>>(
  options: V,
  facts: Known<F, Facts<V[number]>>,
) =>
  field(facts, {
    schema: values.choice(options),
    output: values.choice(options),
    column: () => textColumn().$type<V[number]>(),
  })

/** A boolean that is never null. Absent and null mean false, unless the field is required. */
export const flag = <const F extends Facts<boolean>>(facts: Known<F, Facts<boolean>>) =>
  field(
    { none: false, ...facts },
    { schema: z.boolean(), output: z.boolean(), column: () => integer({ mode: 'boolean' }) },
  )

/** A list of small objects with `fields`, stored in one JSON column; empty by default. */
export function entries<E extends Fields, const F extends EntriesFacts>(
  fields: E,
  facts: F & CleanEntries<E>,
) {
  const { name, doc: description } = facts.entry
  const entry = values.named(`${name}Input`, description, wholeInputs(fields))
  const shown = values.named(name, description, outputs(fields))
  const list = values.list(entry, facts) as unknown as z.ZodType<Values<E>[]>
  return field(
    { ...facts, none: [] as Values<E>[], person: Object.values(fields).some((one) => one.person) },
    {
      schema: facts.clean ? list.overwrite(facts.clean) : list,
      output: z.array(shown),
      column: () => textColumn({ mode: 'json' }).$type<Values<E>[]>(),
    },
  )
}

/** The parts of a kind. `T` is the type of the stored value, `S` of the value in replies. */
interface Kind<T, C, S> {
  schema: z.ZodType<T>
  /** Schema of the value in bodies, if it is not `schema`. */
  input?: z.ZodType<T | null>
  output: z.ZodType<S>
  column: (target?: () => AnySQLiteColumn) => C
  show?: (value: T) => S
}

/** The facts of a field whose text is cleaned once more. */
function cleanedBy<F extends CleanFacts>(last: (text: string) => string, facts: F): F {
  const { clean = (text: string) => text }: CleanFacts = facts
  return { ...facts, clean: (text: string) => last(clean(text)) }
}

/** Optional text of at most `max` characters in a format; empty text is null. */
function formatted<F extends CleanFacts>(facts: F, format: values.TextFormat, max: number) {
  const { clean }: CleanFacts = facts
  return field(facts, {
    schema: values.text(max, clean),
    input: values.formattedText(format, max, clean),
    output: z.string(),
    column: () => textColumn(),
  })
}

/** Makes a field. The cast is needed because TypeScript cannot infer how facts change the types. */
function field<T, S, C extends SQLiteColumnBuilder, F extends Facts>(facts: F, kind: Kind<T, C, S>) {
  const { doc, required, assigned, none } = facts
  const { schema, input = schema, output, column, show } = kind
  const isFilled = required || assigned
  const sent = (required ? input : noneFor(input, none)).describe(doc)
  const canBeNull = !isFilled && none === undefined
  return {
    ...facts,
    input: facts.changedBy ? onlyChangedBy(facts.changedBy, sent) : sent,
    stored: (canBeNull ? schema.nullable() : schema).describe(doc),
    output: (canBeNull ? output.nullable() : output).describe(doc),
    column: (target?: () => AnySQLiteColumn) => {
      const made: SQLiteColumnBuilder = column(target)
      if (canBeNull) return made
      return isFilled ? made.notNull() : made.notNull().default(none)
    },
    none: none ?? null,
    show,
  } as unknown as DeclaredField<T, F, C, S>
}

/** Makes null mean `none`, if the field has one. */
function noneFor<T>(input: z.ZodType<T | null>, none: unknown): z.ZodType {
  return none === undefined ? input.nullable() : input.nullable().transform((value) => value ?? none)
}

function within({ min, max }: Bounds, schema: z.ZodNumber): z.ZodNumber {
  const bounded = min === undefined ? schema : schema.min(min)
  return max === undefined ? bounded : bounded.max(max)
}

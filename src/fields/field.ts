/** The types of a field: its facts, and the types of bodies, rows, columns and replies that follow from them. */
import type { HasDefault, NotNull } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteColumnBuilderBase } from 'drizzle-orm/sqlite-core'
import type { z } from 'zod'
import type { ChangedBy } from './changed-by.ts'

/**
 * The facts of a field. At most one of `required`, `assigned` and `none` may be set; without them the field is
 * nullable.
 */
export interface Facts<T = unknown> {
  /** One sentence for the documentation, with the unit. */
  doc: string
  /** Bodies must contain it, and it is never null. */
  required?: true
  /** Optional in bodies but never null: if it is absent, the code that stores the record assigns a value. */
  assigned?: true
  /** Never null: this value means "none", and is the default. */
  none?: T
  /** Name of the column, if it differs from the field's. */
  storedAs?: string
  /** Stored as null for listings of the category land. */
  landNull?: true
  /** Stored but only presented with `?fields=all`. */
  writeOnly?: true
  /** Name of the table that an id refers to. */
  to?: string
  /** The trail has its values, not only its name. Never of texts, and nothing of a person. */
  history?: true
  /** Whether it may hold something of a person that is on record: an erasure clears it. Texts must say so. */
  person?: boolean
  /** Import changes it only for these callers. */
  changedBy?: ChangedBy
  /** Visitors of a website may see it. A field that says nothing is not public. */
  public?: true
}

/** Refuses misspelt facts: TypeScript itself allows unknown keys if a type is inferred. */
export type Known<F, All> = F & Record<Exclude<keyof F, keyof All>, never>

/** A field of some kind. `T` is the type of the stored value, `C` of its column, `S` of the value in replies. */
export interface Field<T = unknown, C extends SQLiteColumnBuilderBase = SQLiteColumnBuilderBase, S = T>
  extends Facts {
  /** Schema of the value in bodies. Null and empty text clear an optional field. */
  input: z.ZodType<T | null>
  /** Schema of the stored value, with the bounds of the input. */
  stored: z.ZodType<T>
  /** Schema of the value in replies, without bounds. */
  output: z.ZodType<S>
  /** Makes a new column; `target` is the column that a foreign key refers to. */
  column: (target?: () => AnySQLiteColumn) => C
  /** The value of an absent field; null if it has no "none". */
  none: T | null
  /** Converts the stored value to the value in replies, if they differ. */
  show?(value: T): S
}

export type DeclaredField<T, F extends Facts, C extends SQLiteColumnBuilderBase, S = T> = F &
  Field<OrNull<T, F>, ColumnWith<C, F>, OrNull<S, F>>

export type Fields = Record<string, Field>

type Filled = { required: true } | { assigned: true }
type OrNull<T, F> = F extends Filled | { none: NonNullable<unknown> } ? T : T | null
type ColumnWith<C extends SQLiteColumnBuilderBase, F> = F extends Filled
  ? NotNull<C>
  : F extends { none: NonNullable<unknown> }
    ? HasDefault<NotNull<C>>
    : C

type Stored<F> = F extends { stored: z.ZodType<infer T> } ? T : never
type InReplies<F> = F extends { output: z.ZodType<infer S> } ? S : never
type None<F> = F extends { none: NonNullable<unknown> } ? Stored<F> : null
type ColumnOf<F> = F extends { column: (...target: never) => infer C } ? C : never
type NameOfColumn<F, Name> = F extends { storedAs: infer Column extends string } ? Column : Name

export type Values<F extends Fields> = { [K in keyof F]: Stored<F[K]> }

export type Nones<F extends Fields> = { [K in keyof F]: None<F[K]> }

export type Row<F extends Fields> = { [K in keyof F as NameOfColumn<F[K], K>]: Stored<F[K]> }

/** A row without the assigned fields. */
export type UnassignedRow<F extends Fields> = {
  [K in keyof F as F[K] extends { assigned: true } ? never : NameOfColumn<F[K], K>]: Stored<F[K]>
}

export type Columns<F extends Fields> = { [K in keyof F as NameOfColumn<F[K], K>]: ColumnOf<F[K]> }

/** The type of a validated body. */
export type Body<F extends Fields> = {
  [K in keyof F as F[K] extends { required: true } ? K : never]: Stored<F[K]>
} & { [K in keyof F as F[K] extends { required: true } ? never : K]?: Stored<F[K]> | null }

export type Inputs<F extends Fields> = {
  [K in keyof F]: F[K] extends { required: true }
    ? z.ZodType<Stored<F[K]>>
    : F[K] extends { assigned: true }
      ? z.ZodOptional<z.ZodType<Stored<F[K]> | null>>
      : z.ZodOptional<z.ZodType<Stored<F[K]>>>
}

export type Outputs<F extends Fields> = {
  [K in keyof F]: F[K] extends { writeOnly: true }
    ? z.ZodOptional<z.ZodType<InReplies<F[K]>>>
    : z.ZodType<InReplies<F[K]>>
}

export type PublicOf<F extends Fields> = {
  [K in keyof F as F[K] extends { public: true } ? K : never]: F[K]
}

export type Shown<F extends Fields> = {
  [K in keyof F as F[K] extends { writeOnly: true } ? never : K]: InReplies<F[K]>
} & { [K in keyof F as F[K] extends { writeOnly: true } ? K : never]?: InReplies<F[K]> }

/** The tables that ids in `fields` refer to, by name; null for a table without a foreign key. */
export type Targets<F extends Fields> = {
  [K in keyof F as F[K] extends { to: infer Table extends string } ? Table : never]: {
    id: AnySQLiteColumn
  } | null
}

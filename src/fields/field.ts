/** What a field is, as types: its facts, and what follows from them for bodies, rows, columns and replies. */
import type { HasDefault, NotNull } from 'drizzle-orm'
import type { AnySQLiteColumn, SQLiteColumnBuilderBase } from 'drizzle-orm/sqlite-core'
import type { z } from 'zod'

/** What is true of a field beside its kind. At most one of `required`, `assigned` and `none`: else it may be null. */
export interface Facts<T = unknown> {
  /** One sentence for the documentation, with the unit. */
  doc: string
  /** A body must have it, and it is never null. */
  required?: true
  /** A body may leave it out, but it is never null: the code that stores a record assigns a value then. */
  assigned?: true
  /** Never null: the value that stands for "none", also where a body leaves the field out. */
  none?: T
  /** The column, where it has another name than the field. */
  storedAs?: string
  /** Stored as null when it is sent for land. */
  landNull?: true
  /** Accepted and stored, but read back only with `?fields=all`. */
  writeOnly?: true
  /** The table that an id refers to. */
  to?: string
}

/** Facts without typing mistakes: TypeScript itself allows unknown keys where a type is inferred. */
export type Known<F, All> = F & Record<Exclude<keyof F, keyof All>, never>

/** What a kind makes of facts. `T` is the value that is stored, `C` the column for it, `S` the value in replies. */
export interface Field<T = unknown, C extends SQLiteColumnBuilderBase = SQLiteColumnBuilderBase, S = T>
  extends Facts {
  /** Takes a value; null and an empty text clear a field that is not required. */
  input: z.ZodType<T | null>
  /** The value that is stored, within the bounds of bodies. */
  stored: z.ZodType<T>
  /** The value in replies, which promise its type alone. */
  output: z.ZodType<S>
  /** A fresh column; `target` is what a foreign key refers to. */
  column: (target?: () => AnySQLiteColumn) => C
  /** The value of a field that is left out; null where it has none. */
  none: T | null
  /** Makes the value in replies of the stored one, where the two differ. */
  show?(value: T): S
}

/** A field with its facts as types. */
export type Declared<T, F extends Facts, C extends SQLiteColumnBuilderBase, S = T> = F &
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

/** Values by field. */
export type Values<F extends Fields> = { [K in keyof F]: Stored<F[K]> }

/** "None" by field. */
export type Nones<F extends Fields> = { [K in keyof F]: None<F[K]> }

/** Values by column. */
export type Row<F extends Fields> = { [K in keyof F as NameOfColumn<F[K], K>]: Stored<F[K]> }

/** A row without what its kind of record still has to assign. */
export type UnassignedRow<F extends Fields> = {
  [K in keyof F as F[K] extends { assigned: true } ? never : NameOfColumn<F[K], K>]: Stored<F[K]>
}

/** The columns of a table. */
export type Columns<F extends Fields> = { [K in keyof F as NameOfColumn<F[K], K>]: ColumnOf<F[K]> }

/** A checked body. */
export type Body<F extends Fields> = {
  [K in keyof F as F[K] extends { required: true } ? K : never]: Stored<F[K]>
} & { [K in keyof F as F[K] extends { required: true } ? never : K]?: Stored<F[K]> | null }

/** The schemas of a body. */
export type Inputs<F extends Fields> = {
  [K in keyof F]: F[K] extends { required: true }
    ? z.ZodType<Stored<F[K]>>
    : F[K] extends { assigned: true }
      ? z.ZodOptional<z.ZodType<Stored<F[K]> | null>>
      : z.ZodOptional<z.ZodType<Stored<F[K]>>>
}

/** The schemas of a reply. */
export type Outputs<F extends Fields> = {
  [K in keyof F]: F[K] extends { writeOnly: true }
    ? z.ZodOptional<z.ZodType<InReplies<F[K]>>>
    : z.ZodType<InReplies<F[K]>>
}

/** A reply. */
export type Shown<F extends Fields> = {
  [K in keyof F as F[K] extends { writeOnly: true } ? never : K]: InReplies<F[K]>
} & { [K in keyof F as F[K] extends { writeOnly: true } ? K : never]?: InReplies<F[K]> }

/** By name, the tables that ids in `fields` refer to; null for one that has no foreign key. */
export type Targets<F extends Fields> = {
  [K in keyof F as F[K] extends { to: infer Table extends string } ? Table : never]: {
    id: AnySQLiteColumn
  } | null
}

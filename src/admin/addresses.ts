/**
 * What feeds and calendars share: each is read without a key at a URL that cannot be guessed. The calls under `/admin/` that
 * make, list, read, change and delete them, and give them another URL: one round trip each, two where values are checked.
 */
import { randomBytes } from 'node:crypto'
import { getTableName, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context } from 'hono'
import type { z } from 'zod'
import { batch, type Database, database, type NamedStatements, type Results } from '../db/client.ts'
import { findViolation } from '../db/errors.ts'
import { assignments } from '../db/rows.ts'
import { type Statement, selectRows, sqlStatement, textStatement } from '../db/statements.ts'
import { describeEntered } from '../http/caller/provenance.ts'
import type { App } from '../http/context.ts'
import type { Router } from '../http/endpoint/router.ts'
import { ApiError, notFound, writeConflict } from '../http/errors.ts'
import { deletedBody, lookupBody, recordBody, updatedBody } from '../http/reply/envelope.ts'
import type { Draft } from '../http/request/check.ts'

/** How often a write is tried again that meets another one. */
const ATTEMPTS = 5

/** A table of what has a URL. `token` is the unguessable part, or what is kept of it. */
type AddressTable = SQLiteTable &
  Record<'id' | 'token' | 'version' | 'date_created' | 'date_updated', SQLiteColumn>
type Row<T extends AddressTable> = T['$inferSelect'] & { id: number; version: number }

interface Declared<T extends AddressTable, Input extends z.ZodObject, Update extends z.ZodObject, Reading> {
  table: T
  /** What one is called: `Feed`. */
  name: string
  /** How many a deployment keeps at most. */
  maximum: number
  input: Input
  update: Update
  record: z.ZodType
  /** What the calls do beyond their summaries. */
  descriptions: Record<'create' | 'update', string>
  /** What the checks of a body need. */
  reading(draft: Draft<z.output<Update>>): Reading & NamedStatements
  /** The values to store once the draft is merged over `current`, which is null for a new one. Adds problems to the draft. */
  decide(draft: Draft<z.output<Update>>, read: Results<Reading>, current: Row<T> | null): Partial<Row<T>>
  /** What is stored of a token. */
  keep(token: string): string
  /** The JSON of one. `token` is set where it is new. */
  present(c: Context<App>, row: Row<T>, token?: string): z.output<z.ZodType>
}

/** Adds the calls to `router`, and returns the function that reads one, which throws 404. */
export function serveAddresses<
  T extends AddressTable,
  Input extends z.ZodObject,
  Update extends z.ZodObject,
  Reading,
>(router: Router, declared: Declared<T, Input, Update, Reading>) {
  const { table, name, maximum, input, update, record, descriptions, reading, decide, present } = declared
  const stored = getTableName(table)
  const [path, scope, one] = [`/admin/${stored}`, 'admin:settings' as const, `a ${name.toLowerCase()}`]
  const tooMany = `Too many ${stored}: at most ${maximum} are kept`
  // The cast: TypeScript does not know that all columns are read.
  const selectAll = (rest: SQL) => selectRows(table, rest) as unknown as Statement<Row<T>>
  const select = (id: number) => selectAll(sql`where id = ${id}`)
  const newToken = () => {
    const token = randomBytes(16).toString('hex')
    return { token, kept: declared.keep(token) }
  }
  const found = (rows: Row<T>[]): Row<T> => {
    const [row] = rows
    if (!row) throw notFound(name)
    return row
  }
  const read = async (db: Database, id: number) => found((await batch(db, { rows: select(id) })).rows)

  router.post(
    path,
    {
      ...{ summary: `Make ${one}`, scope, description: descriptions.create, body: input },
      reply: recordBody(record),
      errors: { 409: tooMany },
    },
    async (c, call) => {
      // The cast: a creation has the keys of an update, and requires some of them.
      const sent = (await call.body()) as unknown as Draft<z.output<Update>>
      const db = database(c.env)
      const { token, kept } = newToken()
      const row = await attempt(async () => {
        const draft = sent.fork()
        const values = decide(draft, (await batch(db, { read: reading(draft) })).read, null)
        draft.complete()
        const { names, params } = assignments(table, { ...values, token: kept })
        const { inserted, rows } = await batch(db, {
          inserted: textStatement<{ id: number }>(
            `insert into ${stored} (${names.join(', ')}, date_created, date_updated)
              select ${names.map(() => '?').join(', ')}, datetime('now'), datetime('now')
              where (select count(*) from ${stored}) < ${maximum} returning id`,
            params,
          ),
          rows: selectAll(sql`where id = (select max(id) from ${table})`),
        })
        if (inserted.length === 0) throw new ApiError(409, tooMany)
        return rows[0]
      })
      describeEntered(c.env, { record_id: String(row.id) })
      return present(c, row, token)
    },
  )

  router.get(
    path,
    {
      ...{ summary: `List the ${stored}`, scope, description: 'Oldest first.' },
      reply: lookupBody(record),
    },
    async (c) => {
      const { rows } = await batch(database(c.env), { rows: selectAll(sql`order by id`) })
      return rows.map((row) => present(c, row))
    },
  )

  router.get(
    `${path}/{id}`,
    { summary: `Read ${one}`, scope, resource: name, reply: recordBody(record) },
    async (c, call) => present(c, await read(database(c.env), call.id())),
  )

  router.put(
    `${path}/{id}`,
    {
      ...{ summary: `Change ${one}`, scope, resource: name, description: descriptions.update, body: update },
      reply: updatedBody,
    },
    async (c, call) => {
      const sent = await call.body()
      const id = call.id()
      const db = database(c.env)
      await attempt(async () => {
        const draft = sent.fork()
        const { rows, results } = await batch(db, { rows: select(id), results: reading(draft) })
        const current = found(rows)
        const { names, params } = assignments(table, decide(draft, results, current))
        draft.complete()
        const { updated } = await batch(db, {
          updated: textStatement<{ id: number }>(
            `update ${stored} set ${names.map((column) => `${column} = ?`).join(', ')}, ${TOUCHED}
              where id = ? and version = ? returning id`,
            [...params, id, current.version],
          ),
        })
        return updated[0]
      })
      return id
    },
  )

  router.delete(
    `${path}/{id}`,
    {
      ...{ summary: `Delete ${one}`, scope, resource: name, reply: deletedBody },
      description: 'Its URL answers 404 at once.',
    },
    async (c, call) => {
      const id = call.id()
      const { removed } = await batch(database(c.env), {
        removed: sqlStatement<{ id: number }>(sql`delete from ${table} where id = ${id} returning id`),
      })
      if (removed.length === 0) throw notFound(name)
      return id
    },
  )

  router.post(
    `${path}/{id}/rotate`,
    {
      ...{ summary: `Change the URL of ${one}`, scope, operationId: `rotate${name}Url`, resource: name },
      description: 'The old URL answers 404 at once.',
      reply: recordBody(record),
    },
    async (c, call) => {
      const id = call.id()
      const { token, kept } = newToken()
      const { rows } = await batch(database(c.env), {
        rotated: textStatement(`update ${stored} set token = ?, ${TOUCHED} where id = ?`, [kept, id]),
        rows: select(id),
      })
      return present(c, found(rows), token)
    },
  )

  return read
}

/** What every change sets. By the clock of the database, as are the dates of what feeds show. */
const TOUCHED = `version = version + 1, date_updated = max(date_updated, datetime('now'))`

/** What `write` gives once it meets no other write, nor the deletion of what it refers to. Throws 409. */
async function attempt<R>(write: () => Promise<R | undefined>): Promise<R> {
  for (let tries = 1; tries <= ATTEMPTS; tries++) {
    const written = await write().catch((error: unknown) => {
      if (findViolation(error)?.kind !== 'FOREIGNKEY') throw error
      return undefined
    })
    if (written) return written
  }
  throw writeConflict()
}

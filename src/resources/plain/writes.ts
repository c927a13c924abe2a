/**
 * The writes of a resource whose rules look at one record: create, update, and deletion that hides. A resource says what its
 * rules read, and `decide` is both its rules and what they make of a body.
 *
 *     serveWrites(contactRoutes, {
 *       resource: 'contacts',
 *       table: contacts,
 *       links: { tags: contact_tag_links, users: contact_users },
 *       current: selectContact,
 *       lookups: selectLookups,
 *       decide: (draft, results, current) => { validate(draft, …); return { change: resolve(draft.complete(), …) } },
 *       create: { body: contactInput, description: '…' },
 *       update: { body: contactUpdate, description: '…' },
 *     })
 *
 * Of a plain resource, `plain-writes.ts` makes all of it but the rules.
 */
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Context } from 'hono'
import type { z } from 'zod'
import { oneOf, type ResourceName, resourceNamed, writePathOf } from '../../catalogue/resources.ts'
import { batch, type Database, database, type Results, type Statements } from '../../db/client.ts'
import { AlreadyStored, answerStored, createRecord, markDeleted, mergeRecord } from '../../db/merge.ts'
import { addLinks, insertRow, updateRecord } from '../../db/rows.ts'
import type { SqlFragment, Statement } from '../../db/statements.ts'
import type { LinkTable } from '../../db/tables/links.ts'
import { formatDateTime } from '../../fields/values.ts'
import type { RecordRef } from '../../http/concurrency/entity-tags.ts'
import { setReplayedHeader } from '../../http/concurrency/idempotency.ts'
import type { App } from '../../http/context.ts'
import type { Contract } from '../../http/endpoint/contract.ts'
import type { Router } from '../../http/endpoint/router.ts'
import { createdBody, createdReply, deletedBody, updatedBody } from '../../http/reply/envelope.ts'
import type { Draft } from '../../http/request/check.ts'
import type { MailKind } from '../mails/marks.ts'
import { mailBehindReply } from '../mails/queue.ts'
import type { Values } from './parts.ts'

/** What a write stores: columns, and complete lists of ids. */
type Change<Name extends string> = { columns: Values } & { [N in Name]?: readonly number[] }

interface Decision<Name extends string> {
  change: Change<Name>
  /** A further condition that must hold in the transaction. */
  guard?: SqlFragment | null
  /** What else is stored with it. */
  more?: Statements
  /** Headers that describe the result; undefined removes one that an attempt before has set. */
  headers?: Readonly<Record<string, string | undefined>>
}

interface Call<Body extends z.ZodObject> extends Pick<Contract, 'query' | 'replyHeaders' | 'errors'> {
  body: Body
  description: string
}

/** What a write reads for its rules. */
export interface Reading {
  db: Database
  /** Null for a new record. */
  id: number | null
  c: Context<App>
}

interface Written<Body extends z.ZodObject, Row, Lookups, Name extends string> {
  resource: ResourceName
  table: SQLiteTable
  links: Record<Name, LinkTable>
  current: (ids: { id: number }) => Statement<Row>
  /** The statements that read what the rules need. */
  lookups: (
    values: Partial<z.output<Body>>,
    reading: Reading,
  ) => Lookups & { readonly [name: string]: Statements }
  /** The rules, and what a valid body makes; called again if other writes interfere. `current` is null for a new record. */
  decide: (
    draft: Draft<z.output<Body>>,
    results: Results<Lookups>,
    current: Row | null,
    reading: Reading,
  ) => Decision<NoInfer<Name>>
  /** The mails that writes give rise to. */
  mails?: MailKind
  /** The statement that finds what a body creates, if it is stored already: then a create answers with it, and stores nothing. */
  known?: (values: Partial<z.output<Body>>, db: Database) => Statement<{ id: number }> | null
  /** Keys that an update ignores, whatever they are. */
  fixed?: readonly (keyof z.output<Body>)[]
  create?: Call<z.ZodObject>
  update: Call<Body>
}

interface DeletionCall extends Pick<Contract, 'errors'> {
  resource: ResourceName
  description: string
}

/** Adds the deletion of a record to `router`: it hides a record of `table`, unless `remove` does something else. */
export function serveDeletion(
  router: Router,
  {
    resource,
    ...call
  }: DeletionCall &
    (
      | { table: SQLiteTable }
      | { remove: (db: Database, record: RecordRef, c: Context<App>) => Promise<unknown> }
    ),
): void {
  const facts = resourceNamed(resource)
  const { description, errors = {} } = call
  router.delete(
    `${writePathOf(facts)}/{id}`,
    { summary: `Delete ${oneOf(facts)}`, description, errors, resource: facts.one, reply: deletedBody },
    async (c, input) => {
      const record = input.record()
      const db = database(c.env)
      await ('remove' in call ? call.remove(db, record, c) : markDeleted(db, record, call.table))
      return record.id
    },
  )
}

/** Adds the create and the update of a resource to `router`. */
export function serveWrites<
  Body extends z.ZodObject,
  Row extends { id: number; version: number },
  Lookups,
  Name extends string,
>(router: Router, written: Written<Body, Row, Lookups, Name>): void {
  const { resource, table, links, lookups, decide, mails, create } = written
  const facts = resourceNamed(resource)
  const path = writePathOf(facts)
  if (create)
    router.post(
      path,
      { summary: `Create ${oneOf(facts)}`, ...create, reply: createdBody },
      async (c, input) => {
        // The cast: a creation has the keys of an update, and requires some of them.
        const draft = (await input.body()) as unknown as Draft<z.output<Body>>
        const db = database(c.env)
        const reading = { db, id: null, c }
        const { reply } = await createRecord(db, { ...input.call, table }, async () => {
          const { results, stored } = await batch(db, {
            results: lookups(draft.values, reading),
            stored: written.known?.(draft.values, db) ?? null,
          })
          if (stored?.[0]) throw new AlreadyStored(stored[0].id)
          const { change, guard, more = null, headers } = decide(draft, results, null, reading)
          setHeaders(c, headers)
          const now = formatDateTime(new Date())
          return {
            row: insertRow(table, { date_created: now, date_updated: now, ...change.columns }, guard),
            rest: { links: addLinks(links, table, change), more },
            answer: createdReply,
          }
        }).catch((error: unknown) => {
          if (!(error instanceof AlreadyStored)) throw error
          return answerStored(db, { ...input.call, resource, id: error.id }, createdReply)
        })
        if (mails) mailBehindReply(c, mails)
        return c.json(reply)
      },
    )
  router.put(
    `${path}/{id}`,
    { summary: `Update ${oneOf(facts)}`, ...written.update, resource: facts.one, reply: updatedBody },
    async (c, input) => {
      const draft = await input.body()
      for (const key of written.fixed ?? []) delete draft.values[key]
      const record = input.record()
      const db = database(c.env)
      const reading = { db, id: record.id, c }
      const reads = { current: written.current({ id: record.id }), lookups: lookups(draft.values, reading) }
      await mergeRecord(db, record, reads, (row, results) => {
        const { change, guard, more = null, headers } = decide(draft, results, row, reading)
        setHeaders(c, headers)
        const writes = updateRecord(table, links, row, change, { guard })
        return writes && { ...writes, more }
      })
      if (mails) mailBehindReply(c, mails)
      return record.id
    },
  )
}

/** Sets headers that describe the result. */
export function setHeaders(c: Context<App>, headers: Decision<never>['headers'] = {}): void {
  for (const [name, value] of Object.entries(headers)) setReplayedHeader(c, name, value)
}

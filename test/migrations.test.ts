import { applyD1Migrations, reset } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { is } from 'drizzle-orm'
import { getTableConfig, type SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { describe, expect, it } from 'vitest'
import { FILE_COLUMNS } from '../src/files/references.ts'
import released from './released.json' with { type: 'json' }
import { selectAll } from './support/database.ts'
import { emptyService } from './support/storage.ts'

/** Every table that src/db/tables declares. */
const tables = Object.values(import.meta.glob('../src/db/tables/*.ts', { eager: true }))
  .flatMap((module) => Object.values(module))
  .filter((exported) => is(exported, SQLiteTable))
  .map((table) => [getTableConfig(table).name, getTableConfig(table)] as const)

async function storedTables(): Promise<string[]> {
  const found = await selectAll("select name from sqlite_master where type = 'table' order by name")
  return found.map(({ name }) => String(name)).filter((name) => !/^(sqlite_|_cf_|d1_migrations)/.test(name))
}

/** Columns that an index covers. */
async function columnsOf(index: string): Promise<unknown[]> {
  return (await selectAll(`pragma index_info(${JSON.stringify(index)})`)).map(({ name }) => name)
}

/** The SQL of a migration, without the quotes around names. */
const textOf = ({ queries }: (typeof env.MIGRATIONS)[number]) => queries.join('\n').replaceAll('`', '')

/** All that `pattern` finds first in each match. */
const found = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = '']) => name)

/** The tables that the migrations of the last release make, each with its columns as `table.column`. */
const RELEASED = new Set(
  env.MIGRATIONS.filter(({ name }) => name <= released.migration).flatMap((migration) => {
    const text = textOf(migration)
    const made = [...text.matchAll(/\bcreate\s+table\s+(\w+)\s*\(([\s\S]*?)\n\)/gi)]
    const added = [...text.matchAll(/\balter\s+table\s+(\w+)\s+add\s+(?:column\s+)?(\w+)/gi)]
    return [
      ...made.flatMap(([, table, body = '']) => [
        table,
        ...found(body, /^\s*(\w+)/gm).map((column) => `${table}.${column}`),
      ]),
      ...added.map(([, table, column]) => `${table}.${column}`),
    ]
  }),
)

/** What a migration drops of tables and columns. */
function dropsOf(text: string): string[] {
  const columns = [...text.matchAll(/\balter\s+table\s+(\w+)\s+drop\s+(?:column\s+)?(\w+)/gi)]
  return [
    ...found(text, /\bdrop\s+table\s+(?:if\s+exists\s+)?(\w+)/gi),
    ...columns.map(([, table, column]) => `${table}.${column}`),
  ]
}

/**
 * The indexes that SQL names by `indexed by`. Without one of them the query fails, also that of the version which runs while
 * a migration is applied, or after a rollback. So a name that a release has used stays here.
 */
const NAMED = ['external_listings_by_kind']

const sources = import.meta.glob('../src/**/*.ts', { query: '?raw', import: 'default', eager: true })

describe('indexes that SQL names', () => {
  it('are listed', () => {
    const naming = Object.entries(sources).filter(([, text]) => /indexed by/i.test(text))
    expect(naming.map(([file]) => file)).toEqual(['../src/resources/external-listings/list.ts'])
    const names = Object.values(sources).flatMap((text) => found(String(text), /indexed by (\w+)/gi))
    expect(new Set(names)).toEqual(new Set(NAMED))
  })

  it('exist', async () => {
    const stored = await selectAll("select name from sqlite_master where type = 'index'")
    expect(stored.map(({ name }) => name)).toEqual(expect.arrayContaining(NAMED))
  })

  it('are dropped by no migration that does not make them again', () => {
    const broken = env.MIGRATIONS.flatMap((migration) => {
      const text = textOf(migration)
      return found(text, /\bdrop\s+index\s+(?:if\s+exists\s+)?(\w+)/gi)
        .filter((name) => NAMED.includes(name))
        .filter((name) => !new RegExp(`\\bcreate\\s+index\\s+${name}\\b`, 'i').test(text))
        .map((name) => `${migration.name} drops ${name}`)
    })
    expect(broken).toEqual([])
  })
})

describe('migrations', () => {
  it('never rebuild a table: on D1 that loses rows', () => {
    expect(env.MIGRATIONS.length).toBeGreaterThan(0)
    for (const migration of env.MIGRATIONS) {
      const text = textOf(migration)
      expect(text, migration.name).not.toMatch(/foreign_keys\s*=\s*off/i)
      expect(text, migration.name).not.toMatch(/\brename\s+to\b/i)
      expect(text, migration.name).not.toMatch(/\bon\s+(delete|update)\s+(cascade|set|restrict)/i)
    }
  })

  it('drop no table and no column that a release has: it runs meanwhile, and after a rollback', () => {
    const dropped = env.MIGRATIONS.map((migration) => ({
      migration: migration.name,
      drops: dropsOf(textOf(migration)),
    }))
    expect(dropsOf('drop table one; alter table two drop column three')).toEqual(['one', 'two.three'])
    for (const name of ['listings', 'listings.matched_version', 'webhooks.url', 'locations.name_el'])
      expect(RELEASED).toContain(name)
    const broken = dropped.map(({ drops, ...one }) => ({
      ...one,
      drops: drops.filter((name) => RELEASED.has(name)),
    }))
    expect(broken.filter(({ drops }) => drops.length > 0)).toEqual([])
  })

  it('make the database that tests begin with', async () => {
    const contents = async () => ({
      schema: await selectAll(
        `select type, name, tbl_name, sql from sqlite_schema where name not like '~_cf~_%' escape '~' order by type, name`,
      ),
      rows: await Promise.all(
        (await storedTables()).map(async (name) => [name, await selectAll(`select * from ${name}`)]),
      ),
    })
    await emptyService()
    const short = await contents()
    await reset()
    await applyD1Migrations(env.DB, env.MIGRATIONS)
    const long = await contents()
    const plain = ({ schema, rows }: typeof long) => ({
      schema: schema.filter(({ tbl_name }) => tbl_name !== 'd1_migrations'),
      // Random, or the time.
      rows: JSON.stringify(rows)
        .replace(/"deployment":"[0-9a-f]{12}"/, '')
        .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, ''),
    })
    expect(plain(short)).toEqual(plain(long))
    expect(plain(long).rows).toMatch(/"change_feed",\[\{/)
  })

  it('make no view: an export has the triggers on it first, and cannot be restored', async () => {
    expect(await selectAll("select name from sqlite_master where type = 'view'")).toEqual([])
  })

  it('make the tables that the code declares, and no other', async () => {
    expect(tables.length).toBeGreaterThan(30)
    const declared = tables.map(([name]) => name)
    expect(new Set(declared).size).toBe(declared.length)
    expect(await storedTables()).toEqual(declared.toSorted((a, b) => (a < b ? -1 : 1)))
  })

  it.each(tables)('make %s as the code declares it', async (name, config) => {
    const stored = await selectAll(`pragma table_info(${name})`)
    const inCompositeKey = ({ name: column }: SQLiteColumn) =>
      config.primaryKeys.some(({ columns }) => columns.some((part) => part.name === column))
    const found = stored.map(({ name: column, type, notnull, pk }) => [
      column,
      { type: String(type).toLowerCase(), required: notnull === 1, key: Number(pk) > 0 },
    ])
    const declared = config.columns.map((column) => [
      column.name,
      { type: column.getSQLType(), required: column.notNull, key: column.primary || inCompositeKey(column) },
    ])
    expect(found).toHaveLength(declared.length)
    expect(Object.fromEntries(found)).toEqual(Object.fromEntries(declared))
  })

  it.each(tables)('give %s its foreign keys, with no action', async (name, config) => {
    const stored = await selectAll(`pragma foreign_key_list(${name})`)
    for (const { on_delete, on_update } of stored) {
      expect([on_delete, on_update]).toEqual(['NO ACTION', 'NO ACTION'])
    }
    const declared = config.foreignKeys.map((key) => {
      const { columns, foreignTable } = key.reference()
      expect([key.onDelete ?? 'no action', key.onUpdate ?? 'no action']).toEqual(['no action', 'no action'])
      return `${columns.map((column) => column.name).join()} → ${getTableConfig(foreignTable).name}`
    })
    expect(new Set(stored.map(({ from, table }) => `${from} → ${table}`))).toEqual(new Set(declared))
  })

  it.each(tables)('give %s its indexes', async (name, config) => {
    const stored = (await selectAll(`pragma index_list(${name})`)).filter(({ origin }) => origin === 'c')
    const found = await Promise.all(
      stored.map(async (index) => [index.name, index.unique === 1, await columnsOf(String(index.name))]),
    )
    const declared = config.indexes.map(({ config: index }) => [
      index.name,
      index.unique,
      index.columns.map((column) => ('name' in column ? column.name : null)),
    ])
    // drizzle-kit cannot write an index on an expression, so these are not declared in the table.
    const ofFiles = FILE_COLUMNS.filter(({ table }) => table === name).map(({ table, column }) => [
      `files_of_${table}_${column}`,
      false,
      [null],
    ])
    expect(new Set(found)).toEqual(new Set([...declared, ...ofFiles]))
  })

  it('leave nothing that does not hold', async () => {
    expect(await selectAll('pragma foreign_key_check')).toEqual([])
  })
})

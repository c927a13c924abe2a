/** The two reads of every resource beside listings: a record by its id, and a page of the list. */
import { list, PAGE_SIZE, pageOf, record } from './answers.ts'

export type Row = Record<string, string | number | null>

/** How a resource is read. */
export interface Resource {
  /** Its table. */
  table: string
  /** `select … from <table> t`, whole records. */
  select: string
  /** The condition of its list. */
  listed?: string
  /** Only those that meet `listed` are found by their ids, too. */
  hidden?: true
  present: (row: Row, base: string) => Record<string, unknown>
  /** Where the list shows another form. */
  presentListed?: (row: Row, base: string) => Record<string, unknown>
}

export async function readOne(
  db: D1Database,
  { select, present, listed, hidden }: Resource,
  id: number,
  base: string,
): Promise<Response> {
  const where = hidden ? `t.id = ? and ${listed}` : 't.id = ?'
  const row = await db.prepare(`${select} where ${where}`).bind(id).first<Row>()
  return record(row && present(row, base))
}

export async function readPage(
  db: D1Database,
  { table, select, present, listed = 'true', presentListed = present }: Resource,
  query: URLSearchParams,
  base: string,
): Promise<Response> {
  const page = pageOf(query)
  const [rows, counted] = await db.batch<Row>([
    db
      .prepare(`${select} where ${listed} order by t.id desc limit ${PAGE_SIZE} offset ?`)
      .bind((page - 1) * PAGE_SIZE),
    db.prepare(`select count(*) as total from ${table} where ${listed}`),
  ])
  const total = Number(counted?.results[0]?.total)
  return list(
    page,
    total,
    (rows?.results ?? []).map((row) => presentListed(row, base)),
  )
}

/** A sub-select for the ids in a join table, in their order. */
export function idsOf(table: string, column: string, owner: string): string {
  return `(select json_group_array(${column}) from (
    select ${column} from ${table} where ${owner} = t.id order by position))`
}

/** What a column holds as JSON. */
export function parse(value: Row[string] | undefined) {
  return value == null ? null : JSON.parse(String(value))
}

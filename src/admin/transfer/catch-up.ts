/**
 * What an export adds to a file because others write meanwhile: what the feed of changes names of the records that are
 * in it, and what has changed of the agency, which the feed does not name and which is read again where its version is
 * another. All of it is read in one transaction, so that the lines fit each other and all those above.
 */
import { createHash } from 'node:crypto'
import { type SQL, sql } from 'drizzle-orm'
import { resourceOfTable } from '../../db/changes.ts'
import { batch, type Database } from '../../db/client.ts'
import { type Statement, sqlStatement, textStatement } from '../../db/statements.ts'
import { yieldToEventLoop } from '../../http/concurrency/queue.ts'
import { ENTITIES } from './entities.ts'
import { type Entity, exportLine, isInChangeFeed, recordKeyOf } from './entity.ts'
import { type ExportedRecord, orderLines } from './order-lines.ts'

/** Most records of an entity that are caught up with at once. */
const MAX_CHANGES = 500
/** How often in a row; others write faster than the export reads when that does not do. */
const MAX_ROUNDS = 200
/** Most rows of a table of the agency, which is read as a whole. */
const MAX_AGENCY_ROWS = 100_000

const AGENCY = ENTITIES.filter((entity) => !isInChangeFeed(entity))

/** How far a file has come. */
export interface Progress {
  /** The entities of the feed that it has, or begins to have. */
  written: Entity[]
  /** The change up to which it has them. */
  cursor: number
  /** The version of the agency that it has. */
  agency: number
  /** Digests of the lines of the agency, by entity and key. */
  digests: Map<string, string>
}

/** What has changed since. */
export interface FeedState {
  /** The latest change there is. */
  cursor: number
  agency: number
  /** Resources with changes, as JSON. */
  resources: string
}

/** The statement for what has changed. By its resources SQLite would read all of the feed, rather than its end. */
export function selectFeedState({ cursor }: Pick<Progress, 'cursor'>): Statement<FeedState> {
  return textStatement(
    `select (select ifnull(max(cursor), 0) from changes) as cursor,
      (select version from agency_versions where name = 'agency') as agency,
      (select json_group_array(distinct resource) from changes not indexed where cursor > ?) as resources`,
    [cursor],
  )
}

/** The whole agency, as one transaction has it. */
export async function startExport(db: Database): Promise<{ progress: Progress; texts: string[] }> {
  const progress: Progress = { written: [], cursor: Number.MAX_SAFE_INTEGER, agency: 0, digests: new Map() }
  const { news: state, tables } = await batch(db, { news: selectFeedState(progress), tables: readAgency() })
  const { cursor, agency } = newsOf(state)
  Object.assign(progress, { cursor, agency })
  const lines = takeChangedLines(progress, tables)
  const texts = AGENCY.map((entity) =>
    lines.flatMap((line) => (line.entity === entity ? exportLine(entity, line.row) : [])).join(''),
  )
  return { progress, texts: texts.filter(Boolean) }
}

/**
 * The lines that bring a file up to date, none where there is no news.
 * @param onChanged is told of every record that has changed, one that is gone included
 */
export async function* catchUp(
  db: Database,
  progress: Progress,
  before: FeedState,
  onChanged: (entity: Entity, id: number) => void,
): AsyncGenerator<string> {
  const after = new Map<Entity, number>()
  for (let state = before, round = 1; hasChanges(progress, state, after); round++) {
    if (round > MAX_ROUNDS) throw new Error('Others write faster than the export reads')
    await yieldToEventLoop()
    const found = await readChanged(db, progress, state, after)
    const latest = found.news
    if (readsMore(progress, latest, state)) {
      state = latest
      continue
    }
    const agency = takeChangedLines(progress, found.agency)
    progress.agency = latest.agency
    const { lines, isWhole } = takeCompleteEntities(found.changes, after, onChanged)
    yield* orderLines(agency, lines, () => exportedPlaces(progress))
    state = latest
    if (!isWhole) continue
    progress.cursor = latest.cursor
    return
  }
}

/** Whether there is anything to add. */
function hasChanges(progress: Progress, state: FeedState, after: Map<Entity, number>): boolean {
  return after.size > 0 || state.agency !== progress.agency || changedEntities(progress, state).length > 0
}

/** The entities of a file whose records have changed, in the order of a file. */
function changedEntities({ written }: Progress, { resources }: FeedState): Entity[] {
  const changed = new Set<string>(JSON.parse(resources))
  return written.filter(({ name }) => changed.has(resourceOfTable(name) ?? ''))
}

/** Whether `sees` has to be read of more than what was read for `news`. */
function readsMore(progress: Progress, latest: FeedState, state: FeedState): boolean {
  const read = new Set(changedEntities(progress, state))
  const isRead = latest.agency === progress.agency || state.agency !== progress.agency
  return !isRead || changedEntities(progress, latest).some((entity) => !read.has(entity))
}

interface Changes {
  entity: Entity
  /** Records that have changed, in the order of their changes. */
  entries: { id: number; cursor: number }[]
  rows: object[]
}

/** One transaction's view of what `news` names. */
async function readChanged(
  db: Database,
  progress: Progress,
  state: FeedState,
  after: Map<Entity, number>,
): Promise<{ news: FeedState; agency: object[][]; changes: Changes[] }> {
  const entities = changedEntities(progress, state)
  const found = await batch(db, {
    news: selectFeedState(progress),
    agency: state.agency === progress.agency ? [] : readAgency(),
    changes: entities.map((entity) => {
      const entries = entriesOf(entity, after.get(entity) ?? progress.cursor)
      const where = sql`${sql.raw(entity.name)}.id in (select id from (${entries}))`
      return {
        entries: sqlStatement<Changes['entries'][number]>(entries),
        rows: entity.read(where, MAX_CHANGES),
      }
    }),
  })
  return {
    news: newsOf(found.news),
    agency: found.agency,
    changes: found.changes.flatMap((change, index) => {
      const entity = entities[index]
      return entity ? [{ entity, ...change }] : []
    }),
  }
}

function newsOf([state]: FeedState[]): FeedState {
  if (!state) throw new Error('The feed of changes could not be read')
  return state
}

function entriesOf({ name }: Entity, after: number): SQL {
  return sql`select id, cursor from changes
    where resource = ${resourceOfTable(name)} and cursor > ${after} order by cursor limit ${MAX_CHANGES}`
}

/**
 * The changed records up to the first entity of which there are more: what refers to those has to wait. Within an entity
 * in the order of their changes, as what one record gave up another may have taken.
 */
function takeCompleteEntities(
  changes: Changes[],
  after: Map<Entity, number>,
  onChanged: (entity: Entity, id: number) => void,
): { lines: ExportedRecord[]; isWhole: boolean } {
  const lines: ExportedRecord[] = []
  for (const { entity, entries, rows } of changes) {
    const byId = new Map(rows.map((row) => [recordKeyOf(entity, row), row]))
    for (const { id } of entries) {
      onChanged(entity, id)
      const row = byId.get(id)
      if (row) lines.push({ entity, row, isNew: false })
    }
    const last = entries.at(-1)
    if (last) after.set(entity, last.cursor)
    if (entries.length === MAX_CHANGES) return { lines, isWhole: false }
  }
  return { lines, isWhole: true }
}

function readAgency(): Statement<object>[] {
  return AGENCY.map((entity) => entity.read(sql`true`, MAX_AGENCY_ROWS))
}

/** The lines of the agency that are not as the file has them; they count as written. */
function takeChangedLines({ digests }: Progress, tables: object[][]): ExportedRecord[] {
  return tables.flatMap((rows, index) => {
    const entity = AGENCY[index]
    if (!entity) return []
    if (rows.length >= MAX_AGENCY_ROWS) throw new Error(`Too many ${entity.name} for an export`)
    return rows.flatMap((row) => {
      const name = digestKeyOf(entity.name, recordKeyOf(entity, row) ?? '')
      const digest = createHash('sha256').update(exportLine(entity, row)).digest('base64')
      const before = digests.get(name)
      digests.set(name, digest)
      return before === digest ? [] : { entity, row, isNew: before === undefined }
    })
  })
}

/** By which a record of the agency is known among the digests. */
function digestKeyOf(entity: string, key: number | string): string {
  return `${entity} ${key}`
}

/** Ids of the places that a file has, in the order in which they came. */
function* exportedPlaces({ digests }: Progress): Generator<number> {
  const prefix = digestKeyOf('locations', '')
  for (const name of digests.keys()) if (name.startsWith(prefix)) yield Number(name.slice(prefix.length))
}

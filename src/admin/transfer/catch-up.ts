/**
 * What an export adds to its file because records change while it is written. The change feed names the changed records.
 * The tables of the agency are not in the feed: they are read again when the version of the agency has changed. All of it
 * is read in one transaction, so that the lines are consistent with each other and with those above.
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

/** Maximum changes of an entity that are read at once. */
const MAX_CHANGES = 500
/** Maximum reads in a row. If more are needed, records change faster than the export reads. */
const MAX_ROUNDS = 200
/** Maximum rows of a table of the agency, which is read as a whole. */
const MAX_AGENCY_ROWS = 100_000

const AGENCY = ENTITIES.filter((entity) => !isInChangeFeed(entity))

/** What an export file contains so far. */
export interface Progress {
  /** The entities of the feed that are written, including the one in progress. */
  written: Entity[]
  /** Position in the feed up to which they are current. */
  cursor: number
  /** The version of the agency in the file. */
  agency: number
  /** Digests of the lines of the agency, by entity and key. */
  digests: Map<string, string>
}

/** The state of the change feed, and what has changed since a cursor. */
export interface FeedState {
  /** Cursor of the latest change. */
  cursor: number
  agency: number
  /** Resources with changes since the cursor, as JSON. */
  resources: string
}

/** The statement for the state of the feed. `not indexed`: by the index of resources SQLite would read all of the feed. */
export function selectFeedState({ cursor }: Pick<Progress, 'cursor'>): Statement<FeedState> {
  return textStatement(
    `select (select ifnull(max(cursor), 0) from changes) as cursor,
      (select version from agency_versions where name = 'agency') as agency,
      (select json_group_array(distinct resource) from changes not indexed where cursor > ?) as resources`,
    [cursor],
  )
}

/** Reads the whole agency in one transaction. `texts` are its lines, one text for each entity. */
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
 * The lines that update a file to the current state; none when nothing has changed.
 * @param onChanged is called for every changed record, including deleted ones
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

/** Whether there are lines to add. */
function hasChanges(progress: Progress, state: FeedState, after: Map<Entity, number>): boolean {
  return after.size > 0 || state.agency !== progress.agency || changedEntities(progress, state).length > 0
}

/** The entities of a file whose records have changed, in the order of a file. */
function changedEntities({ written }: Progress, { resources }: FeedState): Entity[] {
  const changed = new Set<string>(JSON.parse(resources))
  return written.filter(({ name }) => changed.has(resourceOfTable(name) ?? ''))
}

/** Whether `latest` names more than what was read for `state`, so that both must be read again together. */
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

/** Reads in one transaction what `state` names as changed, and the state of the feed at that moment. */
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
 * The changed records up to the first entity with more than `MAX_CHANGES`: records that refer to those have to wait.
 * Within an entity they keep the order of their changes, because a record may have taken what another gave up.
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

/** The lines of the agency that differ from the file. Records their digests as written. */
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

/** The key of a record of the agency in `digests`. */
function digestKeyOf(entity: string, key: number | string): string {
  return `${entity} ${key}`
}

/** Ids of the places in a file, in the order in which they were written. */
function* exportedPlaces({ digests }: Progress): Generator<number> {
  const prefix = digestKeyOf('locations', '')
  for (const name of digests.keys()) if (name.startsWith(prefix)) yield Number(name.slice(prefix.length))
}

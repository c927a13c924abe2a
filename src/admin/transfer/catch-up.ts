/**
 * What an export adds to its file because records change while it is written. The change feed names the changed records,
 * `agency_changes` those of the agency. All of them are read in one transaction, so that the lines are consistent with each
 * other and with those above.
 */
import { type SQL, sql } from 'drizzle-orm'
import { resourceOfTable } from '../../db/changes.ts'
import { batch, type Database, type Results } from '../../db/client.ts'
import { type Statement, sqlStatement, textStatement } from '../../db/statements.ts'
import { yieldToEventLoop } from '../../http/concurrency/waiting.ts'
import { ENTITIES } from './entities.ts'
import { type Entity, exportLine, isInChangeFeed, recordKeyOf } from './entity.ts'
import { formatProgress, type Progress, type Step, writtenEntities } from './export-progress.ts'
import { type ExportedRecord, orderLines } from './order-lines.ts'

/** Maximum changes of an entity that are read at once. */
const MAX_CHANGES = 500
/** Maximum changes of an entity that are looked through for removals at once: they are short. */
const MAX_REMOVALS = 2000
/** Maximum reads in a row. If more are needed, records change faster than the export reads. */
const MAX_ROUNDS = 200
/** Maximum rows of a table of the agency, which is read as a whole. */
const MAX_AGENCY_ROWS = 100_000

const AGENCY = ENTITIES.filter((entity) => !isInChangeFeed(entity))

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
  const { news, tables } = await batch(db, {
    news: selectFeedState({ cursor: Number.MAX_SAFE_INTEGER }),
    tables: AGENCY.map((entity) => entity.read(sql`true`, MAX_AGENCY_ROWS)),
  })
  const texts = tables.map((rows, index) => {
    const entity = requireFew(AGENCY[index], rows)
    return rows.map((row) => exportLine(entity, row)).join('')
  })
  const { cursor, agency } = newsOf(news)
  const progress = { entity: 0, after: 0, cursor, agency, pending: {}, removed: {} }
  return { progress, texts: texts.filter(Boolean) }
}

/**
 * The steps that update a file to the current state; none when nothing has changed.
 * @param onChanged is called for every changed record, including deleted ones
 */
export async function* catchUp(
  db: Database,
  progress: Progress,
  before: FeedState,
  onChanged: (entity: Entity, id: number) => void,
): AsyncGenerator<Step> {
  for (let state = before, round = 1; hasChanges(progress, state); round++) {
    if (round > MAX_ROUNDS) throw new Error('Others write faster than the export reads')
    await yieldToEventLoop()
    const found = await readChanged(db, progress, state)
    const latest = found.news
    if (readsMore(progress, latest, state)) {
      state = latest
      continue
    }
    const { lines, isWhole } = takeCompleteEntities(found.changes, progress, onChanged)
    // Records that still refer to what is gone may be among those that are not read yet.
    const agency = isWhole ? found.agency : found.agency.filter(({ isRemoved }) => !isRemoved)
    for (const text of orderLines(agency, lines, () => found.places)) yield { text, next: undefined }
    if (isWhole) {
      progress.agency = latest.agency
      progress.cursor = latest.cursor
      progress.pending = {}
      progress.removed = {}
    }
    yield { text: '', next: formatProgress(progress) }
    state = latest
    if (isWhole) return
  }
}

/** Whether there are lines to add. */
function hasChanges(progress: Progress, state: FeedState): boolean {
  return (
    Object.keys(progress.pending).length > 0 ||
    state.agency !== progress.agency ||
    changedEntities(progress, state).length > 0
  )
}

/** The entities of a file whose records have changed, in the order of a file. */
function changedEntities(progress: Progress, { resources }: FeedState): Entity[] {
  const changed = new Set<string>(JSON.parse(resources))
  return writtenEntities(progress).filter(({ name }) => changed.has(resourceOfTable(name) ?? ''))
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
  /** Records that may be removed, in the order of their changes; null if an import removes none of the entity. */
  gone: Removable[] | null
}

/** A record that has changed, and whether it is removed. */
interface Removable {
  id: number
  cursor: number
  date: string
  is_gone: 0 | 1
}

/** Reads in one transaction what `state` names as changed, and the state of the feed at that moment. */
async function readChanged(db: Database, progress: Progress, state: FeedState) {
  const entities = changedEntities(progress, state)
  const found = await batch(db, {
    news: selectFeedState(progress),
    agency: state.agency === progress.agency ? null : readAgencyChanges(progress.agency),
    changes: entities.map((entity) => {
      const entries = changesAfter(entity, progress.pending[entity.name] ?? progress.cursor)
      const where = sql`${sql.raw(entity.name)}.id in (select id from (${entries}))`
      return {
        entries: sqlStatement<Changes['entries'][number]>(entries),
        rows: entity.read(where, MAX_CHANGES),
        gone: entity.remove ? selectGone(entity, progress) : null,
      }
    }),
  })
  const agency = found.agency ? agencyLines(found.agency, progress.agency) : []
  const added = agency.flatMap(({ entity, row, isNew }) =>
    entity.name === 'locations' && isNew ? Number(recordKeyOf(entity, row)) : [],
  )
  return {
    news: newsOf(found.news),
    agency,
    /** Ids of places that are in the file as they are stored. */
    places: [...(found.agency?.places ?? []).map(({ id }) => id), ...added],
    changes: found.changes.flatMap((change, index): Changes[] => {
      const entity = entities[index]
      return entity ? [{ entity, ...change }] : []
    }),
  }
}

function newsOf([state]: FeedState[]): FeedState {
  if (!state) throw new Error('The feed of changes could not be read')
  return state
}

function changesAfter({ name }: Entity, after: number, limit = MAX_CHANGES): SQL {
  return sql`select id, cursor, date from changes
    where resource = ${resourceOfTable(name)} and cursor > ${after} order by cursor limit ${limit}`
}

/** The statement for the changed records of an entity whose removal is not in the file yet. */
function selectGone(entity: Entity, { cursor, removed }: Progress): Statement<Removable> {
  const changed = changesAfter(entity, removed[entity.name] ?? cursor, MAX_REMOVALS)
  return sqlStatement(
    sql`select id, cursor, date, id not in (select id from ${sql.identifier(entity.name)}) as is_gone from (${changed})`,
  )
}

/**
 * The changed records up to the first entity with more than `MAX_CHANGES`: records that refer to those have to wait. So have
 * removals, as any record that is not read yet may be the last that refers to what is gone. They begin with the last entity:
 * records refer to those of the entities before them.
 * Within an entity they keep the order of their changes, because a record may have taken what another gave up.
 */
function takeCompleteEntities(
  changes: Changes[],
  { pending, removed }: Progress,
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
    if (last) pending[entity.name] = last.cursor
    if (entries.length === MAX_CHANGES) return { lines, isWhole: false }
  }
  // Others are removed with a record that refers to them, such as the expenses of an income.
  for (const { entity, gone } of changes.toReversed()) {
    const isDated = 'date_updated' in entity.schema.shape
    for (const { id, date, is_gone } of gone ?? [])
      if (is_gone) lines.push(removedLine(entity, isDated ? { id, date_updated: date } : { id }))
    const last = gone?.at(-1)
    if (last) removed[entity.name] = last.cursor
    if (gone?.length === MAX_REMOVALS) return { lines, isWhole: false }
  }
  return { lines, isWhole: true }
}

function removedLine(entity: Entity, data: Record<string, unknown>): ExportedRecord {
  return { entity, row: {}, data, isNew: false, isRemoved: true }
}

/** A record of the agency that was written, and the version of the agency with its first write. */
interface AgencyEntry {
  entity: string
  key: string
  added: number
}

/** The statements for the records of the agency that were written since a version of it. */
function readAgencyChanges(since: number) {
  const keysOf = ({ name, key }: Entity) => {
    const column = sql.raw(key ? 'key' : 'cast(key as integer)')
    return sql`select ${column} from agency_changes where entity = ${name} and version > ${since}`
  }
  const places = sql`select id from locations where id not in (select cast(key as integer) from agency_changes
    where entity = 'locations' and version > ${since}) order by level, id limit 1`
  return {
    entries: textStatement<AgencyEntry>(
      'select entity, key, added from agency_changes where version > ? order by version',
      [since],
    ),
    tables: AGENCY.map(
      (entity): Statement<object> =>
        entity.read(
          sql`${sql.raw(`${entity.name}.${entity.key ?? 'id'}`)} in (${keysOf(entity)})`,
          MAX_AGENCY_ROWS,
        ),
    ),
    places: sqlStatement<{ id: number }>(places),
  }
}

/** The lines of the agency that were written since a version of it. */
function agencyLines(
  { entries, tables }: Results<ReturnType<typeof readAgencyChanges>>,
  since: number,
): ExportedRecord[] {
  const left = new Map(entries.map((entry) => [`${entry.entity} ${entry.key}`, entry]))
  const lines = tables.flatMap((rows, index) => {
    const entity = requireFew(AGENCY[index], rows)
    return rows.map((row) => {
      const name = `${entity.name} ${recordKeyOf(entity, row)}`
      const isNew = (left.get(name)?.added ?? 0) > since
      left.delete(name)
      return { entity, row, isNew }
    })
  })
  const gone = [...left.values()].flatMap(({ entity: name, key }): ExportedRecord[] => {
    const entity = AGENCY.find((one) => one.name === name)
    if (!entity) return []
    return [
      entity.key
        ? { entity, row: { key, value: null }, isNew: false }
        : removedLine(entity, { id: Number(key) }),
    ]
  })
  return [...lines, ...gone]
}

function requireFew(entity: Entity | undefined, rows: object[]): Entity {
  if (!entity || rows.length >= MAX_AGENCY_ROWS) throw new Error(`Too many ${entity?.name} for an export`)
  return entity
}

/**
 * Recognises the records of the demo agency. The demo is only loaded into an empty service. A load is only continued if
 * every stored record belongs to the demo.
 */
import { demoLines } from '../../demo/agency.ts'
import type { DemoSize } from '../../demo/lines.ts'
import { adminCall, type Service } from './admin.ts'
import { splitLines } from './import-requests.ts'

interface StoredRecord {
  entity: string
  data: Record<string, unknown>
}

/**
 * Fields whose stored value differs from the line: pictures change dates, and criteria that do not apply are dropped.
 */
const STORED_OTHERWISE = new Set(['date_updated', 'elevator_min_floor'])

/** The first office of the demo. It is stored before everything else, so it marks that a load has begun. */
export function firstOffice(): StoredRecord {
  for (const line of demoLines({ contacts: 0, listings: 0 })) {
    if (line.entity === 'stores') return line as StoredRecord
  }
  throw new Error('The demo has no office')
}

/** Why a load must not continue here; null if one has begun and nothing else is stored. */
export async function findObstacle(service: Service, size?: DemoSize): Promise<string | null> {
  const expected = new Map(Array.from(demoLines(size), (line) => [nameOf(line as StoredRecord), line.data]))
  const mark = nameOf(firstOffice())
  let isMarked = false
  let foreign: string | undefined
  for await (const record of storedRecords(service)) {
    const name = nameOf(record)
    const line = expected.get(name)
    // The diary was moved to the time of the load.
    const isMoved = record.entity === 'appointments' && line !== undefined
    const isOfDemo = isMoved || agrees(record.data, line) || isGenerated(record, expected)
    if (!isOfDemo) foreign ??= name
    else if (name === mark) isMarked = true
  }
  if (foreign) return `This service holds data that is not the demo's: ${foreign}.`
  return isMarked ? null : 'No load of the demo has begun in this service.'
}

/**
 * Whether a stored record has the scalar values of its line. Lists and groups are stored differently, so they are
 * ignored.
 */
function agrees(stored: Record<string, unknown>, line: unknown): boolean {
  if (typeof line !== 'object' || line === null) return false
  return Object.entries(line).every(
    ([key, value]) => typeof value === 'object' || STORED_OTHERWISE.has(key) || stored[key] === value,
  )
}

/** Whether the record is an expense that the service generated for an income of the demo. */
function isGenerated({ entity, data }: StoredRecord, expected: ReadonlyMap<string, unknown>): boolean {
  return (
    entity === 'expenses' && data.auto_generated === true && expected.has(`incomes ${data.linked_income_id}`)
  )
}

function nameOf({ entity, data }: StoredRecord): string {
  return `${entity} ${data.id ?? data.key}`
}

async function* storedRecords(service: Service): AsyncGenerator<StoredRecord> {
  const { body } = await adminCall(service, 'GET', '/admin/export')
  if (!body) return
  for await (const line of splitLines(body)) {
    if (line.length > 0) yield JSON.parse(line.toString())
  }
}

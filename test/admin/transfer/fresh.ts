import { expect } from 'vitest'
import { everyTable } from '../../support/database.ts'
import { emptyService } from '../../support/storage.ts'
import { exported, exportText, importFile } from '../../support/transfer.ts'

/** Tables that record only history. */
const HISTORY = [
  ...['d1_migrations', 'sqlite_sequence', 'changes', 'change_feed', 'feed_changes', 'agency_changes'],
  ...['trail', 'job_leases'],
]

/** Every row of every table, unordered, but for history, versions of records, and counters that are zero again. */
export async function everyRow(): Promise<Record<string, string[]>> {
  const tables = (await everyTable()).filter(([name]) => !HISTORY.includes(name))
  return Object.fromEntries(
    tables.map(([name, rows]) => {
      const held = rows
        .map(({ version, matched_version, ...row }) => row)
        .filter(({ listings }) => listings !== 0)
      return [name, held.map((row) => JSON.stringify(row)).toSorted((a, b) => a.localeCompare(b))]
    }),
  )
}

/** Export → import into an empty service → export gives the same bytes, and the same rows. Returns them. */
export async function expectRoundTrip() {
  const [text, lines, rows] = [await exportText(), await exported(), await everyRow()]
  await emptyService()
  expect(await exportText()).toBe('')
  await importFile(lines)
  expect(await exportText()).toBe(text)
  expect(await everyRow()).toEqual(rows)
  return { lines, rows }
}

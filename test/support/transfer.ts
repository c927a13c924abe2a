/** Import and export of the records of one entity. */
import { expect } from 'vitest'
import { PART } from '../../src/admin/transfer/export.ts'
import { call, type Data } from './api.ts'

/** A line that was refused. */
export interface ImportError {
  line: number
  entity: string | null
  id: number | string | null
  message: string
}

/** What an import says. */
interface ImportReport {
  accepted: number
  rejected: number
  errors: (ImportError & { problems: { message: string }[] })[]
  warnings: { line: number; message: string }[]
  ignored: { line: number; fields: string[] }[]
  next: number | null
}

/** Imports a body and returns what the reply says of it, which a dry run must have said before. */
export async function importText(
  body: string | Uint8Array,
  query: Record<string, string> = {},
): Promise<ImportReport> {
  const path = (more = {}) => `/admin/import?${new URLSearchParams({ ...query, ...more })}`
  const dry = await call('POST', path({ dry_run: 'true' }), { body })
  const reply = await call('POST', path(), { body })
  expect(reply.status).toBe(200)
  expect(dry.body, 'a dry run says the same').toEqual(reply.body)
  return reply.body.data
}

/** What the reply says of refused lines, each with its first problem among others. */
export const withProblems = (errors: ImportError[]) =>
  errors.map((error) => ({
    ...error,
    problems: expect.arrayContaining([expect.objectContaining({ message: error.message })]),
  }))

/** What the reply says of an import of so many lines without any mistake. */
export const clean = (accepted: number) => ({
  accepted,
  rejected: 0,
  errors: [],
  warnings: [],
  ignored: [],
  next: null,
})

/** Imports lines in one call and returns what it says of them. */
export const importReply = (entity: string, lines: Data[], mode = 'merge') =>
  importText(lines.map((data) => JSON.stringify({ entity, data })).join('\n'), { mode })

/** Imports lines in one call; the messages of those that were refused. */
export async function importLines(entity: string, lines: Data[], mode?: string): Promise<string[]> {
  const { errors } = await importReply(entity, lines, mode)
  return errors.map(({ message }) => message)
}

/** Imports one line; its message when it was refused, else null. */
export async function importLine(entity: string, data: Data, mode?: string): Promise<string | null> {
  return (await importLines(entity, [data], mode))[0] ?? null
}

/** An export as it is sent. */
export async function exportText(): Promise<string> {
  return (await call('GET', '/admin/export')).body
}

/** The lines of an export that hold `entities`; all of them when none is named. */
export async function exported(...entities: string[]): Promise<string[]> {
  const lines = (await exportText()).split('\n').filter(Boolean)
  if (entities.length === 0) return lines
  return lines.filter((line) => entities.some((entity) => line.startsWith(`{"entity":"${entity}"`)))
}

/** Imports lines of an export, `size` a call; fails the test when one is refused, or something of it is ignored. */
export async function importFile(lines: string[], query = '', size = 1000): Promise<void> {
  for (let start = 0; start < lines.length; start += size) {
    const part = lines.slice(start, start + size)
    const { body } = await call('POST', `/admin/import?${query}`, { body: part.join('\n') })
    // What later changes leave behind is named in warnings.
    expect({ ...body.data, warnings: [] }).toEqual(clean(part.length))
  }
}

/** Imports lines of an export; fails the test when one is refused. */
async function reimport(lines: string[]): Promise<void> {
  if (lines.length === 0) return
  const report = await importText(lines.join('\n'))
  expect({ ...report, warnings: [] }).toEqual(clean(lines.length))
}

/** Imports an export of `entities` over what is stored and, once `empty` has removed that, anew. Returns its lines. */
export async function expectSameAfterReimport(
  entities: string[],
  empty?: () => Promise<unknown>,
): Promise<string[]> {
  const before = await exported(...entities)
  await reimport(before)
  expect(await exported(...entities)).toEqual(before)
  if (!empty) return before
  await empty()
  await reimport(before)
  expect(await exported(...entities)).toEqual(before)
  return before
}

/** A part of an export, and the cursor of the next one; null if it is the last. */
export async function readPart(after: string): Promise<{ text: string; next: string | null }> {
  const { status, headers, body } = await call('GET', `/admin/export?after=${after}`)
  expect(status).toBe(200)
  const [, next = null] =
    /^<http:..estia.test.admin.export.after=([\w-]+)>; rel="next"$/.exec(headers.get('Link') ?? '') ?? []
  expect(headers.get('Link') === null).toBe(next === null)
  return { text: body, next }
}

/** The parts of an export, as small as `bytes` lets them be; `between` runs behind each of them. */
export async function exportInParts(
  between: (text: string) => unknown = () => undefined,
  bytes = 1,
): Promise<string[]> {
  const whole = PART.bytes
  const parts: string[] = []
  try {
    for (let next: string | null = 'start'; next; ) {
      PART.bytes = bytes
      const part = await readPart(next)
      PART.bytes = whole
      parts.push(part.text)
      await between(part.text)
      next = part.next
    }
  } finally {
    PART.bytes = whole
  }
  return parts
}

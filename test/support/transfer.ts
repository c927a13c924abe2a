/** Import and export of the records of one entity. */
import { expect } from 'vitest'
import { call } from './api.ts'

type Data = Record<string, unknown>

/** Imports lines in one call and returns what it says of them. */
export async function importReply(entity: string, lines: Data[], mode = 'merge') {
  const body = lines.map((data) => JSON.stringify({ entity, data })).join('\n')
  const reply = await call('POST', `/admin/import?mode=${mode}`, { body })
  expect(reply.status).toBe(200)
  return reply.body.data
}

/** Imports lines in one call; the messages of those that were refused. */
export async function importLines(entity: string, lines: Data[], mode?: string): Promise<string[]> {
  const { errors } = await importReply(entity, lines, mode)
  return errors.map(({ message }: { message: string }) => message)
}

/** Imports one line; its message when it was refused, else null. */
export async function importLine(entity: string, data: Data, mode?: string): Promise<string | null> {
  return (await importLines(entity, [data], mode))[0] ?? null
}

/** The lines of an export that hold `entities`; all of them when none is named. */
export async function exported(...entities: string[]): Promise<string[]> {
  const text: string = (await call('GET', '/admin/export')).body
  const lines = text.split('\n').filter(Boolean)
  if (entities.length === 0) return lines
  return lines.filter((line) => entities.some((entity) => line.startsWith(`{"entity":"${entity}"`)))
}

/** Imports lines of an export; fails the test when one is refused. */
async function reimport(lines: string[]): Promise<void> {
  if (lines.length === 0) return
  const { body } = await call('POST', '/admin/import', { body: lines.join('\n') })
  expect(body.data).toEqual({ accepted: lines.length, rejected: 0, errors: [], ignored: [] })
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

/** Calls that merge contacts, and what they answer. */
import { AGENCY, OTHER, PERSON, RECORDS } from '../../../admin/erasure/persona.ts'
import { importRecords, post } from '../../../support/api.ts'
import { execute } from '../../../support/database.ts'
import { emptyService } from '../../../support/storage.ts'
import { exported } from '../../../support/transfer.ts'

/** Others, who are nowhere. */
export const THIRD = 52
export const FOURTH = 53

/** A person who is everywhere, and others. */
export async function seedPersons(): Promise<void> {
  await emptyService()
  const others = [THIRD, FOURTH].map((id) => ['contacts', { id, last_name: 'Same', created_by: 1 }] as const)
  await importRecords([...AGENCY, ...RECORDS, ...others.map(([entity, data]) => [entity, data] as never)])
  await execute(`insert into appointment_notices (appointment_id, party, recipient_id, event, created, next_try)
    values (1, 'visitor', ${PERSON}, 'booked', 0, 0), (1, 'visitor', ${OTHER}, 'booked', 0, null),
      (1, 'agent', ${PERSON}, 'moved', 0, null)`)
}

type Options = Parameters<typeof post>[2]

export const merge = (into: number, contacts: unknown, more: object = {}, options?: Options) =>
  post(`/api/contacts/${into}/merge`, { contacts, ...more }, options)
export const unmerge = (into: number, contact_id: unknown, options?: Options) =>
  post(`/api/contacts/${into}/unmerge`, { contact_id }, options)

export const merged = (into: number, moved: object) => ({
  status: 200,
  body: { status: 200, updated_id: into, moved },
})
export const restored = (restored_id: number, stayed: object[] = []) => ({
  status: 200,
  body: { status: 200, restored_id, stayed },
})

/** The export without the dates of changes, but for some contacts. */
export async function stateBut(...contacts: number[]): Promise<string[]> {
  return (await exported())
    .map((line) => line.replaceAll(/"date_updated":(null|"[^"]*"),?/g, ''))
    .filter((line) => !contacts.some((id) => line.startsWith(`{"entity":"contacts","data":{"id":${id},`)))
}

/** Searches activities: the text that is stored for searching. */
import { oneLine } from '../../db/fold.ts'
import type { activities } from '../../db/tables/activities.ts'

/** Subject and text, each in a line. */
export function searchText({
  subject,
  text,
}: Partial<Pick<typeof activities.$inferSelect, 'subject' | 'text'>>): string {
  return [subject ?? '', text ?? ''].map(oneLine).filter(Boolean).join('\n')
}

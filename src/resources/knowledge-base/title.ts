/** The text by which titles of articles are searched. */
import { foldText } from '../../db/fold.ts'

/** A title as it is stored for searching, and as it is searched. */
export function titleSearch(title: string): string {
  return foldText(title)
}

/** The search of contacts and enquiries. */
import { and, getTableName, or, type SQL, sql } from 'drizzle-orm'
import { oneLine } from '../../db/fold.ts'
import type { TableWithId } from '../../db/page.ts'
import { havingKeys } from '../../db/person-keys.ts'
import { textFilter } from '../../http/request/filters.ts'
import { type Filter, filter } from '../plain/filters.ts'
import { keysOf, nameWords } from './keys.ts'

const HOW =
  'case and accents do not matter, names may be in Latin letters and in any order of words; a telephone or e-mail finds who ' +
  'has it, and records that contain it only if none has'

const isName = (text: string) => /^[\p{L}\p{M}\s'’.-]+$/u.test(text)
/** Maximum words of a name that are looked for. */
const MAX_WORDS = 8

/**
 * The filter for the records that a text occurs in. Of those with a telephone or e-mail of the text, there are no others.
 * @param fold makes text as it is stored
 */
export function peopleSearch(table: TableWithId, doc: string, fold = oneLine): Filter<string> {
  const place = getTableName(table)
  const keysIn = (search: string) => keysOf({ emails: [search], phones: [search] })
  const where = (search: string) => {
    const words = isName(search) ? nameWords(search).slice(0, MAX_WORDS) : []
    const isNumber = /^[\d\s()+./-]+$/.test(search) && /\d/.test(search)
    // A "+" is stored as 00, so that 0030, +30 and 30 all match.
    const occurs = or(
      contains(fold(search)),
      isNumber ? contains(search.replace(/\D/g, '')) : undefined,
      words.length > 0 ? and(...words.map((word) => contains(` ${fold(word)}`))) : undefined,
    )
    const keys = keysIn(search)
    if (keys.length === 0) return occurs
    const known = havingKeys({ places: [place], keys: sql`${JSON.stringify(keys)}` })
    const isAny = 'is_deleted' in table ? sql`is_deleted = 0 and` : sql``
    // A condition that holds for all or none would be looked at for each.
    return sql`id in (select found.record_id ${known} union all
      select id from (select 1 where not exists (select 1 ${known})) cross join ${table} where ${isAny} ${occurs})`
  }
  return filter<string>(
    textFilter(),
    `${doc}; ${HOW}`,
    where,
    ({ search }) => keysIn(String(search)).length > 0,
  )
}

/** `instr` accepts text of any length, and `%` and `_` literally. LIKE on D1 does not. */
function contains(text: string): SQL {
  return sql`instr(search, ${text}) > 0`
}

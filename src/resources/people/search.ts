/** The searches of contacts and enquiries. */
import { and, getTableName, or, type SQL, sql } from 'drizzle-orm'
import { composed, oneLine } from '../../db/fold.ts'
import type { TableWithId } from '../../db/page.ts'
import { havingBeginnings, havingKeys } from '../../db/person-keys.ts'
import { contacts } from '../../db/tables/contacts.ts'
import { enquiries } from '../../db/tables/enquiries.ts'
import { textFilter } from '../../http/request/filters.ts'
import { type Filter, filter } from '../plain/filters.ts'
import { BEGINNINGS, isNumber, keysOf, nameWords, soughtBeginnings } from './keys.ts'

const HOW =
  'case and accents do not matter, names may be in Latin letters and in any order of words; a telephone or e-mail finds who ' +
  'has it, and others only if none has'

/** Whether the words of a text are those of a name, whatever is between them. */
const isName = (text: string) => /\p{L}/u.test(text) && !/[@%_]/.test(text)
/** Maximum words of a name that are looked for. */
const MAX_WORDS = 8

/** The filter for contacts. All that it finds has an index. */
export const contactSearch = (): Filter<string> =>
  filter<string>(
    textFilter(),
    `The beginning of a name, company, phone number, e-mail or its domain, or the last digits of a phone number; of two words, one may be unfinished; ${HOW}`,
    (search) => {
      const isFound = occurs(search, oneLine)
      const { beginnings, phone } = soughtBeginnings(search)
      const sought = [
        ...beginnings.map((text) => [BEGINNINGS, text]),
        ...(phone ? [['contacts', phone]] : []),
      ]
      const begun = havingBeginnings(sql`${JSON.stringify(sought)}`)
      // Keys of what other code has written are derived later: few have none.
      return knownOrOthers(contacts, search, [
        // With a plus, SQLite uses no index of it: the ids are to be looked up.
        sql`${contacts} where +is_deleted = 0 and id in (select found.record_id ${begun}) and ${isFound}`,
        sql`${contacts} where is_deleted = 0 and person_keys = '{}' and ${isFound}`,
      ])
    },
    () => true,
  )

/** The filter for enquiries. Without a telephone or e-mail that one has, it reads them all: they have messages, and are removed in time. */
export const enquirySearch = (): Filter<string> =>
  filter<string>(
    textFilter(),
    `Part of a name, e-mail, phone number or message; ${HOW}`,
    (search) => {
      const isFound = occurs(search, composed)
      // Alone, the condition leaves the other filters their indexes.
      return hasKeys(search)
        ? knownOrOthers(enquiries, search, [sql`${enquiries} where ${isFound}`])
        : isFound
    },
    ({ search }) => hasKeys(String(search)),
  )

/**
 * SQL for the records that have a telephone or e-mail of a text; if none has, for what else is found.
 * @param others what comes after `select id from` to find the others
 */
function knownOrOthers(table: TableWithId, search: string, others: SQL[]): SQL {
  const keys = keysIn(search)
  const known = havingKeys({ places: [getTableName(table)], keys: sql`${JSON.stringify(keys)}` })
  // A condition that holds for all or none would be looked at for each.
  const gate = keys.length > 0 ? sql`(select 1 where not exists (select 1 ${known})) cross join` : sql``
  const selects = others.map((other) => sql`select id from ${gate} ${other}`)
  if (keys.length > 0) selects.unshift(sql`select found.record_id ${known}`)
  return sql`id in (${sql.join(selects, sql` union all `)})`
}

const keysIn = (search: string) => keysOf({ emails: [search], phones: [search] })
const hasKeys = (search: string) => keysIn(search).length > 0

/** SQL for whether a text occurs in what is stored for searching. */
function occurs(search: string, fold: (text: string) => string): SQL | undefined {
  const words = isName(search) ? nameWords(search).slice(0, MAX_WORDS) : []
  // A "+" is stored as 00, so that 0030, +30 and 30 all match.
  return or(
    contains(fold(search)),
    isNumber(search) ? contains(search.replace(/\D/g, '')) : undefined,
    words.length > 0 ? and(...words.map((word) => contains(` ${fold(word)}`))) : undefined,
  )
}

/** `instr` accepts text of any length, and `%` and `_` literally. LIKE on D1 does not. */
function contains(text: string): SQL {
  return sql`instr(search, ${text}) > 0`
}

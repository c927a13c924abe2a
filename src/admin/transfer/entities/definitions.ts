/**
 * Import and export of places and subtypes. A definition that records use cannot be moved or retyped: such a line is
 * refused, and its error says what uses the definition.
 */
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { place } from '../../../catalogue/agency.ts'
import { ALL_SUBCATEGORIES } from '../../../catalogue/enums.ts'
import { runStatement } from '../../../db/client.ts'
import { isOneOf } from '../../../db/conditions.ts'
import { fieldReferences, idList } from '../../../db/references.ts'
import { selectRows } from '../../../db/statements.ts'
import * as agency from '../../../db/tables/agency.ts'
import { listing_subtypes } from '../../../db/tables/lookups.ts'
import { inputs, present, toRow } from '../../../fields/derive.ts'
import { filledText, id, list } from '../../../fields/values.ts'
import type { Draft } from '../../../http/request/check.ts'
import { placeSearch } from '../../../resources/lookups/place-text.ts'
import { defineEntity } from '../entity.ts'
import { rowsOf } from './rows.ts'
import {
  addedIds,
  alteredIds,
  countUses,
  describeUse,
  selectsOf,
  type UsedBy,
  usesOfLocations,
  usesOfSubtypes,
} from './usage.ts'

/** Maximum bytes of the translations of a subtype: they share its row. */
const MAX_TRANSLATION_BYTES = 500_000

const name = filledText()

type LocationRow = typeof agency.locations.$inferSelect

const importedLocation = z.object(inputs(place))

type ImportedLocation = z.output<typeof importedLocation>

interface Places {
  levels: Map<number, number>
  uses: UsedBy[]
  /** The stored parent of each place that a line may move, by the id of the place. */
  parents: Map<number, number | null>
}

export const locations = defineEntity<typeof importedLocation, LocationRow, Places>({
  ...rowsOf(agency.locations, importedLocation),
  read: (where, limit) => selectRows(agency.locations, sql`where ${where} order by level, id limit ${limit}`),
  present: (row) => present(place, row),
  references: (values) => fieldReferences(place, values),
  load: async (db, lines) => {
    // A line that says no parent may keep the one that the place has.
    const places = lines.flatMap(({ values: { id = 0, parent_id } }) => (parent_id === undefined ? id : []))
    const parents = lines.flatMap(({ values }) => idList(values.parent_id))
    const kept = sql`id in (select parent_id from locations where ${isOneOf(sql`id`, places)})`
    const rows = await runStatement(
      db,
      selectRows(agency.locations, sql`where ${isOneOf(sql`id`, parents)} or ${kept}`),
    )
    return { levels: new Map(rows.map((row) => [row.id, row.level])), uses: [], parents: new Map() }
  },
  loadMore: async (db, lines) => {
    const moved = lines.flatMap(({ values, stored }) => (stored && isMoved(values, stored) ? stored.id : []))
    return {
      uses: await countUses(db, moved, usesOfLocations(moved)),
      parents: new Map(lines.flatMap(({ stored }) => (stored ? [[stored.id, stored.parent_id]] : []))),
    }
  },
  check: (draft, { levels, ...places }, { stored, changedKeys, current }, earlier) => {
    if (!current || changedKeys.has('level') || changedKeys.has('parent_id'))
      checkParent(draft, levels, earlier)
    const isValid = !draft.isRefused('level') && !draft.isRefused('parent_id')
    if (stored && isValid && isMoved(draft.values, stored)) checkUse(draft, stored, places, earlier)
  },
  resolve: (values) => ({
    ...toRow(place, values),
    search: placeSearch(values),
  }),
  isSurveyed: true,
  changesDefinitions: (entries) => {
    const altered = alteredIds(entries, isMoved)
    const left = alteredIds(entries, (row, stored) => row.parent_id !== stored.parent_id)
    return { added: addedIds(entries), altered, uses: selectsOf(usesOfLocations(altered, left)) }
  },
})

function isMoved({ level, parent_id = null }: Partial<ImportedLocation>, stored: LocationRow): boolean {
  return level !== stored.level || parent_id !== stored.parent_id
}

/** Requires that the parent is a place of the level above. */
function checkParent(
  draft: Draft<ImportedLocation>,
  levels: Map<number, number>,
  earlier: ImportedLocation[],
): void {
  const { id, level, parent_id = null } = draft.values
  if (!level || draft.isRefused('parent_id')) return
  const parent = earlier.findLast((line) => line.id === parent_id)?.level ?? levels.get(parent_id ?? 0) ?? 0
  const requested = level === 1 ? 'null for level 1' : `a location of level ${level - 1}`
  if (id === parent_id) draft.refuse('parent_id', 'Invalid parent_id: must be another location')
  else if (level > 1 && parent_id === null) draft.refuse('parent_id', 'Missing parent_id')
  else if (parent !== level - 1) draft.refuse('parent_id', `Invalid parent_id: must be ${requested}`)
}

/** Refuses to move a place that is in use. Places that earlier lines have moved out of it do not count. */
function checkUse(
  draft: Draft<ImportedLocation>,
  stored: LocationRow,
  { uses, parents }: Omit<Places, 'levels'>,
  earlier: ImportedLocation[],
): void {
  const field = draft.values.level === stored.level ? 'parent_id' : 'level'
  const left = earlier.filter(
    ({ id, parent_id }) => parents.get(id) === stored.id && parent_id !== stored.id,
  ).length
  const isChildren = ({ id, kind }: UsedBy) => id === stored.id && kind === 'locations'
  const remaining = uses
    .map((use) => (isChildren(use) ? { ...use, uses: use.uses - left } : use))
    .filter((use) => use.uses > 0)
  const use = describeUse(remaining, stored.id)
  const child = earlier.find(({ parent_id }) => parent_id === stored.id)
  if (use) draft.refuse(field, `Invalid ${field}: ${stored.id} ${use}`)
  else if (child) draft.refuse(field, `Invalid ${field}: ${stored.id} is used by location ${child.id}`)
}

const importedSubtype = z.object({
  id: id().describe('Id of the subtype'),
  subcategory: z.enum(ALL_SUBCATEGORIES).describe('The subcategory that it refines'),
  translations: list(
    z.object({ language_id: id().describe('Language of the name'), name: name.describe('Its name') }),
    { bytes: MAX_TRANSLATION_BYTES },
  ).describe('Its names by language'),
})

type SubtypeRow = typeof listing_subtypes.$inferSelect

export const subtypes = defineEntity<typeof importedSubtype, SubtypeRow, { uses?: UsedBy[] }>({
  ...rowsOf(listing_subtypes, importedSubtype),
  present: (row) => ({ ...row }),
  references: ({ translations }) => [
    {
      field: 'translations.language_id',
      table: 'languages',
      ids: translations?.map(({ language_id }) => language_id) ?? [],
    },
  ],
  load: async () => ({}),
  loadMore: async (db, lines) => {
    const altered = lines.flatMap(({ values, stored }) =>
      stored && isOtherKind(values, stored) ? stored.id : [],
    )
    return { uses: await countUses(db, altered, usesOfSubtypes(altered)) }
  },
  check: (draft, { uses = [] }, { stored }) => {
    const use = stored && describeUse(uses, stored.id)
    if (use && !draft.isRefused('subcategory')) {
      draft.refuse('subcategory', `Invalid subcategory: ${stored.id} ${use}`)
    }
  },
  resolve: (values) => values,
  isSurveyed: true,
  changesDefinitions: (entries) => {
    const altered = alteredIds(entries, isOtherKind)
    return { added: addedIds(entries), altered, uses: selectsOf(usesOfSubtypes(altered)) }
  },
})

function isOtherKind({ subcategory }: { subcategory?: string }, stored: SubtypeRow): boolean {
  return subcategory !== stored.subcategory
}

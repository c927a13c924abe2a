/** Reads tables, as `npm run import` does. It is a script of its own, loaded when a table is chosen. */
import './without-eval.ts'

import { choicesOf, FEATURE_NAMES, FIELD_KINDS } from '../../admin/transfer/csv/fields.ts'
import { linesOf } from '../../admin/transfer/csv/lines.ts'
import { columnOf, csvMap, draftMap, idAbove, pathTo } from '../../admin/transfer/csv/map.ts'
import { readTable } from '../../admin/transfer/csv/table.ts'

export const csv = {
  choicesOf,
  columnOf,
  csvMap,
  draftMap,
  FEATURE_NAMES,
  FIELD_KINDS,
  idAbove,
  linesOf,
  pathTo,
  readTable,
}
export type Csv = typeof csv

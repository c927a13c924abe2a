/** Reads contracts: whole records. */
import { getTableColumns, type InferSelectModel, type SQL, sql } from 'drizzle-orm'
import { linkedIds } from '../../db/relations.ts'
import { prepared, type Statement, select } from '../../db/statements.ts'
import { contract_contacts, contracts } from '../../db/tables/offers.ts'

/** A stored contract with its buyers, in their order. */
export interface ContractRow extends InferSelectModel<typeof contracts> {
  contacts: number[]
}

const FIELDS = {
  ...getTableColumns(contracts),
  contacts: linkedIds(contracts, contract_contacts),
}

/** The statement that reads whole contracts. `rest` is the SQL after the table. */
export function selectContracts(rest: SQL): Statement<ContractRow> {
  return select(FIELDS, sql`from ${contracts} ${rest}`)
}

/** Reads the contract `id`. */
export const selectContract = prepared(() =>
  selectContracts(sql`where ${contracts.id} = ${sql.placeholder('id')}`),
)

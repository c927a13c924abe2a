import { expect } from 'vitest'
import { selectAll } from '../support/database.ts'

const KEPT = `select api_key, count(*) as keys, sum(bytes) as bytes from idempotency_keys
  where api_key <> '' group by api_key order by api_key`
const UNMEASURED = `select digest from idempotency_keys where bytes <> ifnull(length(cast(answer as blob)), 0)
  + ifnull(length(cast(progress as blob)), 0) + ifnull(length(cast(told as blob)), 0)`

const TOTAL = `select 1 as id, ifnull(sum(bytes + 500), 0) as bytes from idempotency_keys where bytes > 0`

const rowsOf = (text: string) => selectAll(text)

/** Expects the counters to equal the rows, and the rows to have their stated sizes. */
export async function expectTrueUsage(): Promise<void> {
  expect(await rowsOf('select * from idempotency_usage order by api_key')).toEqual(await rowsOf(KEPT))
  expect(await rowsOf('select * from idempotency_total')).toEqual(await rowsOf(TOTAL))
  expect(await rowsOf(UNMEASURED)).toEqual([])
}

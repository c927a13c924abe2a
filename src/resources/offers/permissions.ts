/** What a call about a deal may do to the listing, which only the record tells. */
import type { Context } from 'hono'
import { requireScope } from '../../http/caller/auth.ts'
import type { App } from '../../http/context.ts'
import type { Draft } from '../../http/request/check.ts'
import { reportUnknownFields } from '../../http/request/read.ts'

export interface Permissions {
  /** Names keys that mean nothing for the record, in place of those that an attempt before has named. */
  ignore: (keys: readonly string[]) => void
  /** Throws 403 unless the caller may write listings. */
  requireListings: () => void
}

/** Those of a call with the body `draft`. */
export function permissionsOf(c: Context<App>, draft: Draft<unknown>): Permissions {
  return {
    ignore: (keys) => reportUnknownFields(c, draft, keys),
    requireListings: () => requireScope(c, { resource: 'listings', access: 'write' }),
  }
}

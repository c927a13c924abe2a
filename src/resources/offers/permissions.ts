/** What a call about a deal may do to the listing, which only the record tells. */
import type { Context } from 'hono'
import { requireScope } from '../../http/caller/auth.ts'
import type { App } from '../../http/context.ts'
import type { Draft } from '../../http/request/check.ts'
import { reportUnknownFields } from '../../http/request/read.ts'

export interface Permissions {
  /** Names keys that mean nothing for the record. */
  ignore: (keys: readonly string[]) => void
  /** Throws 403 unless the caller may write listings. */
  requireListings: () => void
}

/** Those of a call with the body `draft`. */
export function permissionsOf(c: Context<App>, draft: Draft<unknown>): Permissions {
  return {
    ignore: (keys) => {
      for (const key of keys) if (!draft.unknownFields.includes(key)) draft.ignore('', key)
      if (keys.length > 0) reportUnknownFields(c, draft)
    },
    requireListings: () => requireScope(c, { resource: 'listings', access: 'write' }),
  }
}

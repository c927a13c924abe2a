/**
 * Values that not every caller who may import may change, as they say who is told of enquiries or who somebody is. Fields of the
 * catalogue say so themselves, by the fact `changedBy`; schemas of other values by `onlyChangedBy`.
 */
import { z } from 'zod'

/** A scope that a caller needs, or `token` for the holder of `ADMIN_TOKEN` alone. */
export type ChangedBy = 'admin:settings' | 'token'

const declared = z.registry<{ by: ChangedBy }>()

/** Lets only some callers change values of `schema`. */
export function onlyChangedBy<S extends z.ZodType>(by: ChangedBy, schema: S): S {
  declared.add(schema, { by })
  return schema
}

/** Who may change values of a schema, with or without its optional and nullable wrappers; null for everybody. */
export function changedBy(schema: unknown): ChangedBy | null {
  let inner = schema
  for (;;) {
    const found = inner instanceof z.ZodType ? declared.get(inner) : undefined
    if (found) return found.by
    if (!(inner instanceof z.ZodOptional || inner instanceof z.ZodNullable)) return null
    inner = inner.unwrap()
  }
}

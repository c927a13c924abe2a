/**
 * Query parameters of an endpoint that is no list. Those that the contract does not declare are ignored.
 *
 *     const query = z.object({ w: z.enum(['320', '640']).optional() })
 *     const { w } = readQuery(c, query) // throws 400 `Invalid w`
 */
import type { Context } from 'hono'
import type { z } from 'zod'
import type { App } from '../context.ts'
import { invalid, type Problem } from '../errors.ts'

/**
 * Reads the declared parameters; their values are text. Throws 400 for values that the schema refuses and for parameters
 * that are sent more than once.
 */
export function readQuery<S extends z.ZodObject>(c: Context<App>, schema: S): z.output<S> {
  const sent: Record<string, unknown> = {}
  for (const name of Object.keys(schema.shape)) {
    const values = c.req.queries(name)
    if (values) sent[name] = values.length === 1 ? values[0] : values
  }
  const result = schema.safeParse(sent)
  if (result.success) return result.data
  throw invalid(
    result.error.issues.map(
      ({ path: [name] }): Problem => ({ field: String(name), message: `Invalid ${String(name)}` }),
    ),
  )
}

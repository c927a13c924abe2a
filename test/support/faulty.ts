/** Bindings that fail on purpose: D1 and R2 as they are when the network between is not. */
import { env } from 'cloudflare:workers'

/** Which call of a run fails. */
export interface Fault {
  /** Its number among the calls to D1 and R2, from 1. */
  at: number
  /** Whether it took effect before it failed: then only its answer is lost. */
  when: 'before' | 'after'
  /** Whether all calls behind it fail, too. */
  isLasting?: boolean
}

type Method = (...given: unknown[]) => unknown

/** Bindings of which a call fails; `calls` tells how many were made. */
export function faultyBindings(fault: Fault): Pick<Env, 'DB' | 'PHOTOS'> & { calls: () => number } {
  let calls = 0

  async function make(call: () => unknown): Promise<unknown> {
    calls += 1
    const fails = calls === fault.at || (fault.isLasting === true && calls > fault.at)
    if (fails && fault.when === 'before') throw new Error('Network connection lost.')
    const result = await call()
    if (fails) throw new Error('Network connection lost.')
    return result
  }

  /** Statements are sent by themselves or in a batch, which takes them as D1 made them. */
  const bare = new WeakMap<object, D1PreparedStatement>()
  function wrapStatement(statement: D1PreparedStatement): D1PreparedStatement {
    const wrapped = wrap(statement, ['run', 'all', 'raw', 'first'], make, {
      bind: (...values) => wrapStatement(statement.bind(...values)),
    })
    bare.set(wrapped, statement)
    return wrapped
  }

  return {
    calls: () => calls,
    DB: wrap(env.DB, [], make, {
      prepare: (query) => wrapStatement(env.DB.prepare(String(query))),
      batch: (statements) =>
        make(() => env.DB.batch((statements as object[]).map((one) => bare.get(one) as D1PreparedStatement))),
    }),
    PHOTOS: wrap(env.PHOTOS, ['put', 'get', 'head', 'delete', 'list'], make, {}),
  }
}

/** `target` whose `methods` go through `make`, and some of whose methods are others. */
function wrap<T extends object>(
  target: T,
  methods: string[],
  make: (call: () => unknown) => unknown,
  others: Record<string, Method>,
): T {
  return new Proxy(target, {
    get(_, name) {
      const other = others[String(name)]
      if (other) return other
      const own: unknown = Reflect.get(target, name)
      if (typeof own !== 'function') return own
      const call = (given: unknown[]): unknown => Reflect.apply(own, target, given)
      return methods.includes(String(name))
        ? (...given: unknown[]) => make(() => call(given))
        : (...given: unknown[]) => call(given)
    },
  })
}

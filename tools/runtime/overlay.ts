/** Stand-ins for bindings. */

/** `target` with some of its methods replaced. */
export function overlay<T extends object>(target: T, methods: object): T {
  return new Proxy(target, {
    get(_, name) {
      const value: unknown = Reflect.get(name in methods ? methods : target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

/** Makes a call to a database, by what sends it. */
export type Around = <R extends D1Result | D1Result[]>(send: () => Promise<R>) => Promise<R>

/** `db`, whose calls `around` makes. */
export function aroundCalls<T extends D1Database | D1DatabaseSession>(db: T, around: Around): T {
  /** The statements behind those that are prepared: a batch takes no other. */
  const plain = new WeakMap<object, D1PreparedStatement>()
  const statementAround = (statement: D1PreparedStatement): D1PreparedStatement => {
    const all = () => around(() => statement.all<Record<string, unknown>>())
    const shown = overlay(statement, {
      bind: (...values: unknown[]) => statementAround(statement.bind(...values)),
      all,
      run: all,
      // By itself, it does not say what it cost.
      first: async () => (await all()).results[0] ?? null,
    })
    plain.set(shown, statement)
    return shown
  }
  return overlay(db, {
    prepare: (text: string) => statementAround(db.prepare(text)),
    batch: (statements: D1PreparedStatement[]) =>
      around(() => db.batch(statements.map((statement) => plain.get(statement) ?? statement))),
    withSession: (bookmark?: string) => aroundCalls((db as D1Database).withSession(bookmark), around),
  })
}

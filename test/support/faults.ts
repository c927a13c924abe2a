/** A database that fails once, as one over a network may: before it does what it is asked, or after. */
export type Fault = 'before' | 'after'

/** `db` whose call number `failing`, from 1, fails; `calls` counts those made. */
export function withFault(db: D1Database, failing: number, fault: Fault) {
  let calls = 0
  const guarded = async <T>(call: () => Promise<T>): Promise<T> => {
    calls++
    const isFailing = calls === failing
    if (isFailing && fault === 'before') throw lost()
    const result = await call()
    if (isFailing) throw lost()
    return result
  }
  const statement = (prepared: D1PreparedStatement): D1PreparedStatement => {
    // On the statement itself, as a batch takes no others.
    const { bind, run, all, first, raw } = prepared
    return Object.assign(prepared, {
      bind: (...values: unknown[]) => statement(bind.call(prepared, ...values)),
      run: () => guarded(() => run.call(prepared)),
      all: () => guarded(() => all.call(prepared)),
      first: () => guarded(() => first.call(prepared)),
      raw: () => guarded(() => raw.call(prepared)),
    })
  }
  const faulty = {
    prepare: (text: string) => statement(db.prepare(text)),
    batch: (statements: D1PreparedStatement[]) => guarded(() => db.batch(statements)),
  } as unknown as D1Database
  return { db: faulty, calls: () => calls }
}

function lost(): Error {
  return new Error('D1_ERROR: Network connection lost.')
}

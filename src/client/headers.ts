/** Headers in whatever form `fetch` takes them. */
export type CallHeaders = Headers | Iterable<readonly [string, string]> | Record<string, string>

/** Later ones win, whatever the case of their names. */
export function mergeHeaders(...groups: (CallHeaders | undefined)[]): Headers {
  const merged = new Headers()
  for (const group of groups) {
    for (const [name, value] of pairsOf(group ?? {})) if (value != null) merged.set(name, value)
  }
  return merged
}

function pairsOf(headers: CallHeaders): Iterable<readonly [string, string]> {
  // `Headers` can be iterated, too, though not every library of types says so.
  return Symbol.iterator in headers
    ? (headers as Iterable<readonly [string, string]>)
    : Object.entries(headers as Record<string, string>)
}

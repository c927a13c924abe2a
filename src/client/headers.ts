/** Headers in any form that `fetch` accepts. */
export type CallHeaders = Headers | Iterable<readonly [string, string]> | Record<string, string>

/** Merges headers; later ones win. Names are case-insensitive. */
export function mergeHeaders(...groups: (CallHeaders | undefined)[]): Headers {
  const merged = new Headers()
  for (const group of groups) {
    for (const [name, value] of pairsOf(group ?? {})) if (value != null) merged.set(name, value)
  }
  return merged
}

function pairsOf(headers: CallHeaders): Iterable<readonly [string, string]> {
  // `Headers` is iterable, but not every type library declares it.
  return Symbol.iterator in headers
    ? (headers as Iterable<readonly [string, string]>)
    : Object.entries(headers as Record<string, string>)
}

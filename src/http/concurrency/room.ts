/** Makes room for what takes most of the memory of an isolate: a large body, a large photo. */

let release: (needed: number) => void = () => {}

/** Has `work` called before so much memory is needed: it gives back what can be made anew, where that and the bytes do not fit. */
export function onShortage(work: (needed: number) => void): void {
  release = work
}

/**
 * Called before something large is made, in the same step: meanwhile nothing else is loaded.
 * @param bytes what it takes, with all that waits beside it; by default all there are
 */
export function makeRoom(bytes = Number.POSITIVE_INFINITY): void {
  release(bytes)
}

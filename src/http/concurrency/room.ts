/** Makes room for what takes most of the memory of an isolate: a large body, a large photo. */

let release: (needed: number) => void = () => {}

/** Registers `work`, which is called with the bytes that are needed. It drops what can be made anew if both do not fit. */
export function onShortage(work: (needed: number) => void): void {
  release = work
}

/**
 * To be called before something large is made, without an `await` in between: nothing else can be loaded meanwhile.
 * @param bytes what it takes together with all that waits; by default more than there can be
 */
export function makeRoom(bytes = Number.POSITIVE_INFINITY): void {
  release(bytes)
}

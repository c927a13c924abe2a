/** Makes room for what takes most of the memory of an isolate: a large body, a large photo. */

let release = () => {}

/** Has `work` called before so much memory is needed: it gives back what can be made anew. */
export function onShortage(work: () => void): void {
  release = work
}

/** Called before something large is made, in the same step: meanwhile nothing else is loaded. */
export function makeRoom(): void {
  release()
}

/**
 * How the module gives up: the host's `refuse` throws, which leaves every frame of the module at once. What lies in
 * memory then is unfinished; `reset` is the only call that makes sense next.
 */

/** Why a photo is refused, in words that go on from "The picture". */
export namespace Failure {
  /** The photo needs more memory than it may have. */
  export const TooLarge: string = 'needs too much memory'
  /** The data ends before the picture does. */
  export const Truncated: string = 'ends too early'
  /** The data contradicts itself or the standard. */
  export const Damaged: string = 'is damaged'
  /** A sound file of a kind that is not decoded. */
  export const Unsupported: string = 'is of a kind that is not supported'
}

/** Provided by the host: throws an error with a reason of `length` bytes, two for each character. */
declare function refuse(reason: usize, length: usize): void

/** Refuses the photo; never returns. */
export function fail(reason: string): void {
  refuse(changetype<usize>(reason), usize(reason.length) << 1)
}

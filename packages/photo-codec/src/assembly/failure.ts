/**
 * Refuses a picture: the host's `refuse` throws, which leaves all functions of the module at once. The memory is then in
 * an undefined state, so `reset` must be the next call.
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

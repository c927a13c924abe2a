/**
 * How the module gives up: the host's `fail` throws, which leaves every frame of the module at once. What lies in
 * memory then is unfinished; `reset` is the only call that makes sense next.
 */

/** Why a photo is refused. The host knows the same numbers. */
export enum Failure {
  /** The photo needs more memory than it may have. */
  TooLarge = 1,
  /** The data ends before the picture does. */
  Truncated = 2,
  /** The data contradicts itself or the standard. */
  Damaged = 3,
  /** A sound file of a kind that is not decoded. */
  Unsupported = 4,
}

/** Provided by the host; never returns. */
export declare function fail(reason: Failure): void

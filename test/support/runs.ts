import { inject } from 'vitest'

/** How often a property is tried: a third of `all` in `npm test`, which leaves out what is slow, and `all` in `npm run test:all`. */
export function runs(all: number): number {
  return inject('isQuick') ? Math.ceil(all / 3) : all
}

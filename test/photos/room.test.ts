/** What a photo asks the rest of the isolate to give back. */
import { afterAll, expect, it } from 'vitest'
import { runInOrder } from '../../src/http/concurrency/queue.ts'
import { onShortage } from '../../src/http/concurrency/room.ts'
import { makeRoomFor } from '../../src/photos/queue.ts'
import { releaseIndex } from '../../src/resources/listings/search/shared-index.ts'

const MB = 1024 * 1024

afterAll(() => onShortage(() => releaseIndex()))

it('counts its pixels, its file and what waits behind it', async () => {
  const asked: number[] = []
  onShortage((needed) => void asked.push(needed))
  makeRoomFor({ width: 1000, height: 500 }, MB)
  expect(asked).toEqual([500_000 + 2 * MB])
  // Eight just below what may need all: the index of 300,000 listings must go.
  const makeLast = async () => makeRoomFor({ width: 5000, height: 3180 }, 4 * MB)
  const waiting = Array.from({ length: 7 }, () => runInOrder('photos', makeLast, { bytes: 4 * MB }))
  await Promise.all(waiting)
  // The first was processed before the others came.
  expect(asked[2]).toBe(5000 * 3180 + 4 * MB + 6 * 4 * MB)
  makeRoomFor({ width: 5000, height: 3200 }, MB)
  expect(asked.at(-1)).toBe(Number.POSITIVE_INFINITY)
})

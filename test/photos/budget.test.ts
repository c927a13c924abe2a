import { paint, RED, toPng } from '@estia/photo-codec/testing'
import { describe, expect, it, vi } from 'vitest'
import {
  COSTLY_PIXEL,
  createPhotoBudget,
  PhotoBudgetExceeded,
  panoramaCost,
  photoCost,
} from '../../src/photos/budget.ts'
import { createPhotoLoader } from '../../src/photos/loader.ts'
import { queuePanorama, queuePhoto } from '../../src/photos/queue.ts'

/** A clock that stands still until it is set forward. */
function stopClock() {
  let now = 1_000_000
  vi.spyOn(Date, 'now').mockImplementation(() => now)
  return (milliseconds: number) => {
    now += milliseconds
  }
}

const square = (side: number) => toPng(paint(side, side, () => RED))

describe('a budget', () => {
  it('pays until its pixels are spent, and for smaller photos behind a large one', () => {
    const budget = createPhotoBudget(100)
    budget.charge(60)
    expect(() => budget.charge(41)).toThrow(PhotoBudgetExceeded)
    budget.charge(40)
    expect(() => budget.charge(1)).toThrow('Could not decode image')
  })

  it('pays until its time is over, not counting what others took', () => {
    const pass = stopClock()
    const budget = createPhotoBudget(100, 1000)
    pass(400)
    expect(budget.timeLeft()).toBe(600)
    budget.extend(300)
    expect(budget.timeLeft()).toBe(900)
    budget.charge(1)
    pass(900)
    expect(budget.timeLeft()).toBe(0)
    expect(() => budget.charge(1)).toThrow(PhotoBudgetExceeded)
    pass(5000)
    expect(budget.timeLeft()).toBe(0)
  })

  it('is spent on pixels, and more on those that cost more', () => {
    const info = { width: 40, height: 30, orientation: 1 }
    expect(photoCost({ ...info, type: 'image/jpeg' })).toBe(1200)
    for (const type of ['image/png', 'image/gif', 'image/webp'] as const) {
      expect(photoCost({ ...info, type })).toBe(1200 * COSTLY_PIXEL)
    }
    expect(panoramaCost({ ...info, type: 'image/jpeg' })).toBe(1200 * COSTLY_PIXEL)
  })
})

describe('processing', () => {
  const photo = () => square(10)
  const watermark = square(5)
  const [photoPixels, watermarkPixels] = [100 * COSTLY_PIXEL, 25 * COSTLY_PIXEL]

  it('pays for the photo and for each reading of its watermark', async () => {
    const budget = createPhotoBudget(2 * photoPixels + watermarkPixels)
    for (const _ of [1, 2]) {
      const { watermarked } = await queuePhoto(photo(), { maxSide: 10, watermark, budget })
      expect(watermarked).not.toBeNull()
    }
    expect(() => budget.charge(1)).toThrow(PhotoBudgetExceeded)
  })

  it('refuses what cannot be paid for, rather than leave out a watermark', async () => {
    const refused = (pixels: number) =>
      expect(
        queuePhoto(photo(), { maxSide: 10, watermark: watermark.slice(), budget: createPhotoBudget(pixels) }),
      ).rejects.toThrow(PhotoBudgetExceeded)
    await refused(photoPixels - 1)
    await refused(photoPixels + watermarkPixels - 1)
    const budget = createPhotoBudget(photoPixels - 1)
    await expect(queuePanorama(photo(), { budget })).rejects.toThrow(PhotoBudgetExceeded)
  })

  it('tells when it begins, and takes no time off while others are at work', async () => {
    const pass = stopClock()
    const budget = createPhotoBudget(photoPixels * 10, 1000)
    const began: string[] = []
    const begin = (name: string, milliseconds: number) => () => {
      began.push(name)
      queueMicrotask(() => pass(milliseconds))
    }
    await Promise.all([
      queuePhoto(photo(), { maxSide: 10, watermark: null, began: begin('other', 700) }),
      queuePhoto(photo(), { maxSide: 10, watermark: null, budget, began: begin('own', 50) }),
    ])
    expect(began).toEqual(['other', 'own'])
    expect(budget.timeLeft()).toBe(950)
  })
})

describe('a loader', () => {
  const small = new Uint8Array(1)

  function serve() {
    return vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => new Response(String(url)))
  }

  const load = async (entries: unknown[], ahead: Uint8Array | null) => {
    const fetched = serve()
    const loader = createPhotoLoader([...entries], { env: {} }, createPhotoBudget())
    const steps: string[] = []
    for (const index of entries.keys()) {
      const bytes = await loader.load(index).catch((error: Error) => new TextEncoder().encode(error.message))
      const before = fetched.mock.calls.length
      if (ahead) loader.fetchAhead(index + 1, ahead)
      steps.push(new TextDecoder().decode(bytes))
      expect(fetched.mock.calls.length - before).toBeLessThanOrEqual(1)
    }
    return { steps, fetches: fetched.mock.calls.length }
  }

  it.each([null, small])(
    'gives each file in its turn, whether it was fetched ahead or not',
    async (ahead) => {
      const entries = [
        'https://a.example/1',
        { data: btoa('two') },
        { url: 'https://a.example/3' },
        5,
        'ftp://x',
      ]
      const { steps, fetches } = await load(entries, ahead)
      expect(steps).toEqual([
        'https://a.example/1',
        'two',
        'https://a.example/3',
        expect.stringMatching(/^Each photo must be/),
        'Invalid photo url',
      ])
      expect(fetches).toBe(2)
    },
  )

  it('begins to fetch the next one, but not beside a large file', () => {
    const fetched = serve()
    const entries = ['https://a.example/1', 'https://a.example/2']
    const loader = createPhotoLoader(entries, { env: {} }, createPhotoBudget())
    loader.fetchAhead(1, new Uint8Array(8 * 1024 * 1024 + 1))
    expect(fetched).not.toHaveBeenCalled()
    loader.fetchAhead(1, small)
    expect(fetched).toHaveBeenCalledTimes(1)
    loader.fetchAhead(2, small)
    expect(fetched).toHaveBeenCalledTimes(1)
  })
})

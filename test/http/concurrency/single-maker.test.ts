import { describe, expect, it, vi } from 'vitest'
import { MakingTakesTooLong, makeOnce } from '../../../src/http/concurrency/single-maker.ts'

const never = () => new Promise<never>(() => {})

/** Asks for the thing called `name`; waits for others at most `ms`. */
function ask<T>(name: string, make: () => Promise<T>, ms = 5_000): Promise<T> {
  return makeOnce(name, { make, waitUntil: () => {}, until: Date.now() + ms })
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
describe('makeOnce', () => {
  it('lets one make what all get', async () => {
    const make = vi.fn(async () => {
      await pause(50)
      return {}
    })
    const values = await Promise.all([ask('one', make), ask('one', make), ask('one', make)])
    expect(make).toHaveBeenCalledTimes(1)
    expect(new Set(values).size).toBe(1)
  })

  it('makeOnce makes other values meanwhile, and the same value again afterwards', async () => {
    const make = vi.fn(async () => make.mock.calls.length)
    expect(await Promise.all([ask('a', make), ask('b', make)])).toEqual([1, 2])
    expect(await ask('a', make)).toBe(3)
  })

  it('gives an error to all, and keeps none', async () => {
    const make = vi.fn(async () => {
      await pause(50)
      throw new Error('broken')
    })
    const outcomes = await Promise.allSettled([ask('error', make), ask('error', make)])
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(make).toHaveBeenCalledTimes(1)
    expect(await ask('error', async () => 'whole')).toBe('whole')
  })

  it('waits no longer than asked for, and leaves the maker alone', async () => {
    let release = (_: string) => {}
    const first = ask('slow', () => new Promise<string>((resolve) => (release = resolve)))
    await expect(ask('slow', never, 100)).rejects.toThrow(MakingTakesTooLong)
    release('done')
    expect(await first).toBe('done')
  })

  it('does not wait for a maker that is dead', async () => {
    const first = ask('dead', never)
    const now = Date.now()
    vi.spyOn(Date, 'now').mockImplementation(() => now + 44_000)
    await expect(ask('dead', async () => 'too early', 0)).rejects.toThrow(MakingTakesTooLong)
    vi.spyOn(Date, 'now').mockImplementation(() => now + 46_000)
    expect(await ask('dead', async () => 'alive')).toBe('alive')
    expect(await Promise.race([first, pause(50).then(() => 'still waiting')])).toBe('still waiting')
  })

  it('hands over the work to be kept alive, which never fails', async () => {
    const works: Promise<unknown>[] = []
    const make = async () => {
      throw new Error('broken')
    }
    const waitUntil = (work: Promise<unknown>) => void works.push(work)
    await expect(makeOnce('alive', { make, waitUntil, until: 0 })).rejects.toThrow('broken')
    expect(await Promise.all(works)).toEqual([undefined])
  })
})

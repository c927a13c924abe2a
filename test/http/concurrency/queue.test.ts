import { afterEach, describe, expect, it, vi } from 'vitest'
import { runInOrder } from '../../../src/http/concurrency/queue.ts'

afterEach(() => vi.restoreAllMocks())

describe('takeTurn', () => {
  it('runs one at a time, in order, and returns their results', async () => {
    const seen: string[] = []
    const work = (name: string) => async () => {
      seen.push(`${name} starts`)
      await scheduler.wait(2)
      seen.push(`${name} ends`)
      return name
    }
    const results = await Promise.all(['a', 'b', 'c'].map((name) => runInOrder('line', work(name))))
    expect(results).toEqual(['a', 'b', 'c'])
    expect(seen).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
  })

  it('keeps lines apart', async () => {
    const first = Promise.withResolvers<void>()
    const waiting = runInOrder('one', () => first.promise)
    expect(await runInOrder('another', async () => 'at once')).toBe('at once')
    first.resolve()
    await waiting
  })

  it('continues after work that fails', async () => {
    const failing = runInOrder('line', () => Promise.reject(new Error('no')))
    const throwing = runInOrder('line', () => {
      throw new Error('never')
    })
    const next = runInOrder('line', async () => 'yes')
    await expect(failing).rejects.toThrow('no')
    await expect(throwing).rejects.toThrow('never')
    expect(await next).toBe('yes')
    expect(await runInOrder('line', async () => 'again')).toBe('again')
  })

  it('passes over those who are gone, and waits for those who are slow', async () => {
    const slow = runInOrder('line', () => scheduler.wait(1500).then(() => 'slow'))
    // The timers of a request end with it.
    vi.spyOn(globalThis, 'setInterval').mockReturnValueOnce(0 as never)
    void runInOrder('line', () => new Promise(() => undefined))
    const ended: string[] = []
    const last = runInOrder('line', async () => ended.push('last'))
    ended.push(await slow)
    await last
    expect(ended).toEqual(['slow', 'last'])
  })

  it('takes no waiting call for dead while the isolate was busy', async () => {
    const order: string[] = []
    const first = Promise.withResolvers<void>()
    const work = (name: string) => async () => {
      order.push(name)
      if (name === 'a') await first.promise
    }
    const all = ['a', 'b', 'c', 'd'].map((name) => runInOrder('line', work(name)))
    // For the waiting calls it looks as if one had computed for ten seconds.
    const now = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 10_000)
    await scheduler.wait(300)
    expect(order).toEqual(['a'])
    first.resolve()
    await Promise.all(all)
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })
})

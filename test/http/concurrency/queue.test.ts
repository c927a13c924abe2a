import { describe, expect, it, vi } from 'vitest'
import { QueueBusy, runInOrder, runWithBody } from '../../../src/http/concurrency/queue.ts'

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

  it.each([
    ['the isolate was busy', 10_000],
    ['the clock went back a little', -100],
    ['the clock went back by an hour', -3_600_000],
  ])('takes no waiting call for dead while %s', async (_, step) => {
    const order: string[] = []
    const first = Promise.withResolvers<void>()
    const work = (name: string) => async () => {
      order.push(name)
      if (name === 'a') await first.promise
    }
    const all = ['a', 'b', 'c', 'd'].map((name) => runInOrder('line', work(name)))
    // For longer than a heartbeat may be missing.
    await scheduler.wait(850)
    const now = Date.now.bind(Date)
    vi.spyOn(Date, 'now').mockImplementation(() => now() + step)
    await scheduler.wait(300)
    expect(order).toEqual(['a'])
    first.resolve()
    await Promise.all(all)
    expect(order).toEqual(['a', 'b', 'c', 'd'])
  })

  describe('with a limit', () => {
    const limit = { requests: 2, bytes: 100 }
    const options = (bytes = 0) => ({ limit, bytes })
    const hold = (bytes = 0) => {
      const gate = Promise.withResolvers<string>()
      return { done: runInOrder('line', () => gate.promise, options(bytes)), end: () => gate.resolve('done') }
    }

    it.each<[string, number[], number, boolean]>([
      ['one at work, whatever it holds', [1000], 100, true],
      ['none', [], 1000, true],
      ['two that wait', [0, 0, 0], 0, false],
      ['one that waits', [0, 0], 0, true],
      ['as many bytes as fit', [1000, 60], 40, true],
      ['too many bytes', [1000, 60], 41, false],
      ['more bytes than ever fit', [0], 101, false],
    ])('takes or refuses a request behind %s', async (_, before, bytes, isTaken) => {
      const held = before.map(hold)
      const work = vi.fn(async () => 'work')
      const last = runInOrder('line', work, options(bytes))
      const outcome = last.catch((error: unknown) => error)
      if (!isTaken) expect(await outcome).toBeInstanceOf(QueueBusy)
      for (const { end } of held) end()
      await Promise.all(held.map(({ done }) => done))
      expect(await outcome).toEqual(isTaken ? 'work' : expect.any(QueueBusy))
      expect(work).toHaveBeenCalledTimes(Number(isTaken))
      // Those that were refused have left no trace.
      expect(await runInOrder('line', work, options(1000))).toBe('work')
    })

    it('refuses after 15 seconds, without the work', async () => {
      const first = hold()
      const work = vi.fn(async () => 'work')
      const outcome = runInOrder('line', work, options()).catch((error: unknown) => error)
      const unlimited = runInOrder('line', async () => 'anyway')
      await scheduler.wait(20)
      const now = Date.now.bind(Date)
      const passing = vi.spyOn(Date, 'now').mockImplementation(() => now() + 15_100)
      expect(await outcome).toBeInstanceOf(QueueBusy)
      expect(await unlimited).toBe('anyway')
      expect(work).not.toHaveBeenCalled()
      passing.mockRestore()
      first.end()
      await first.done
    })

    it('is not full for ever of requests that are gone', async () => {
      vi.spyOn(globalThis, 'setInterval').mockReturnValue(0 as never)
      // Their clients have left, so nothing of them runs any more.
      vi.spyOn(globalThis, 'setTimeout').mockReturnValue(0 as never)
      for (let at = 0; at < 3; at++) void runInOrder('gone', () => new Promise(() => undefined), options())
      vi.restoreAllMocks()
      const next = () => runInOrder('gone', async () => 'next', options())
      await expect(next()).rejects.toThrow(QueueBusy)
      const now = Date.now.bind(Date)
      vi.spyOn(Date, 'now').mockImplementation(() => now() + 16_000)
      expect(await next()).toBe('next')
    })
  })
})

describe('large bodies', () => {
  const MB = 1024 * 1024

  it('whose length is unknown are counted as they are read, and one alone has no limit', async () => {
    const gate = Promise.withResolvers<void>()
    let grow: (bytes: number) => void = () => undefined
    const first = runWithBody(0, async (reportRead) => {
      grow = reportRead
      await gate.promise
    })
    grow(60 * MB)
    await expect(runWithBody(MB, async () => 'no')).rejects.toThrow(QueueBusy)
    const second = runWithBody(0, async (reportRead) => reportRead(1))
    await expect(second).rejects.toThrow(QueueBusy)
    gate.resolve()
    await first
    expect(await runWithBody(60 * MB, async () => 'yes')).toBe('yes')
  })

  it('a large body that is announced and does not arrive gives up its room', async () => {
    const gate = Promise.withResolvers<void>()
    const slow = runWithBody(40 * MB, () => gate.promise)
    await expect(runWithBody(20 * MB, async () => 'no')).rejects.toThrow(QueueBusy)
    const now = Date.now
    vi.spyOn(Date, 'now').mockImplementation(() => now() + 61_000)
    // Its heartbeat goes on.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await runWithBody(20 * MB, async () => 'yes')).toBe('yes')
    gate.resolve()
    await slow
  })
})

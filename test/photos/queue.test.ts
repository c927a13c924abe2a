import { describe, expect, it } from 'vitest'
import { createQueue } from '../../src/photos/queue.ts'

describe('createQueue', () => {
  it('runs one task at a time, in order, and gives their results', async () => {
    const oneAtATime = createQueue()
    const log: string[] = []
    const task = (name: string) => async () => {
      log.push(`${name} starts`)
      await scheduler.wait(2)
      log.push(`${name} ends`)
      return name
    }
    const results = await Promise.all(['a', 'b', 'c'].map((name) => oneAtATime(task(name))))
    expect(results).toEqual(['a', 'b', 'c'])
    expect(log).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends'])
  })

  it('goes on behind a task that fails', async () => {
    const oneAtATime = createQueue()
    const failing = oneAtATime(() => Promise.reject(new Error('no')))
    const throwing = oneAtATime(() => {
      throw new Error('never')
    })
    const next = oneAtATime(() => Promise.resolve('yes'))
    await expect(failing).rejects.toThrow('no')
    await expect(throwing).rejects.toThrow('never')
    expect(await next).toBe('yes')
    expect(await oneAtATime(() => Promise.resolve('again'))).toBe('again')
  })

  it('does not wait forever for a task that was dropped', async () => {
    const oneAtATime = createQueue(20)
    void oneAtATime(() => new Promise(() => undefined))
    expect(await Promise.all([1, 2].map((n) => oneAtATime(async () => n)))).toEqual([1, 2])
  })
})

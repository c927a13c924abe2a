/** Tests that calls of the helper do not block each other. */
import { expect, it } from 'vitest'
import { send } from '../http/send.ts'
import { get } from './api.ts'

/** Far longer than a timer without delay takes, in milliseconds. */
const CALLS = 100

it.each([
  ['typed', () => get('/api/contacts')],
  ['raw', () => send('GET', '/api/contacts')],
])('timers fire while others make %s calls without a pause', async (_, call) => {
  const fired: number[] = []
  let calls = 0
  setTimeout(() => fired.push(calls), 0)
  while (fired.length === 0 && calls < CALLS) {
    await call()
    calls++
  }
  expect(fired).toHaveLength(1)
})

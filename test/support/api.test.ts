/** What the calls of the tests owe to one another. */
import { expect, it } from 'vitest'
import { send } from '../http/send.ts'
import { get } from './api.ts'

/** Far more than a timer of no delay waits for. */
const CALLS = 100

it.each([
  ['typed', () => get('/api/contacts')],
  ['raw', () => send('GET', '/api/contacts')],
])('timers fire while others make %s calls without a pause', async (_, call) => {
  const pending = { timer: true }
  setTimeout(() => {
    pending.timer = false
  }, 0)
  let calls = 0
  while (pending.timer && calls < CALLS) {
    await call()
    calls++
  }
  expect(pending.timer, `after ${calls} calls`).toBe(false)
})

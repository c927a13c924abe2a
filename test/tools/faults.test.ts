// @module-tag slow
import { describe, expect, it } from 'vitest'
import { run } from '../../tools/runtime/dev-server.ts'

describe('failing storage', () => {
  it('leaves every promise standing', { timeout: 300_000 }, async () => {
    const { code, output } = await run('tools/faults.ts', ['--seed', '1', '--calls', '300'])
    expect(code, output).toBe(0)
    expect(output).toContain('Everything held')
    // Both kinds of answers were there, so something did fail and something did not.
    expect(output).toMatch(/200: \d{3,}/)
    expect(output).toMatch(/500: \d{2,}/)
  })
})

// @module-tag slow
import { describe, expect, it } from 'vitest'
import { run } from '../../tools/runtime/dev-server.ts'

describe('damaged calls', () => {
  it('are answered as every call is', { timeout: 300_000 }, async () => {
    const { code, output } = await run('tools/fuzz-api.ts', ['--seed', '1', '--calls', '5000'])
    expect(code, output).toBe(0)
    expect(output).toContain('0 findings; the service is well')
    const [, served = ''] = /^Answers of the service: (.*)$/m.exec(output) ?? []
    expect(served).toMatch(/\b200: \d{3,}/)
    expect(served).toMatch(/\b400: \d{3,}/)
    expect(served).not.toMatch(/\b5(?!03)\d\d:/)
  })
})

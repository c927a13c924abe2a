// @module-tag slow
import { execFile } from 'node:child_process'
import { describe, expect, it } from 'vitest'

/** Runs the tool; it fails where the service and the SQL by hand differ. */
function benchSearch(...options: string[]): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['tools/bench-search.ts', ...options], (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    )
  })
}

describe('searches beside SQL by hand', () => {
  it('find the same in one trip to the database', { timeout: 300_000 }, async () => {
    const options = ['--sizes', '1000', '--questions', '60', '--rounds', '1', '--keys', 'visitors,secret']
    const { failed, output } = await benchSearch(...options)
    expect(failed, output).toBe(false)
    expect(output).toContain('### 1,000 listings, keys: visitors, 60 questions')
    expect(output).toContain('Each question is one trip to D1.')
    expect(output).toMatch(/A listing that becomes visible writes [\d.]+ rows/)
  })
})

// @module-tag slow
import { execFile } from 'node:child_process'
import { describe, expect, it } from 'vitest'

/** Runs the script; its output ends with what held. */
function tryFaults(...options: string[]): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['tools/faults.ts', ...options], (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    )
  })
}

describe('failing storage', () => {
  it('leaves every promise standing', { timeout: 300_000 }, async () => {
    const { failed, output } = await tryFaults('--seed', '1', '--calls', '300')
    expect(failed, output).toBe(false)
    expect(output).toContain('Everything held')
    // Both kinds of answers were there, so something did fail and something did not.
    expect(output).toMatch(/200: \d{3,}/)
    expect(output).toMatch(/500: \d{2,}/)
  })
})

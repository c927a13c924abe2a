// @module-tag slow
import { execFile } from 'node:child_process'
import { expect, it } from 'vitest'

/** Runs the tool; it fails where visitors see more than the cell of a place. */
function findPlaces(...options: string[]): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, ['tools/find-places.ts', ...options], (error, stdout, stderr) =>
      resolve({ failed: error !== null, output: stdout + stderr }),
    )
  })
}

// `npm run find-places` tries more of them.
it('gives attackers the cell of a place, and no more', { timeout: 300_000 }, async () => {
  const { failed, output } = await findPlaces('--places', '1', '--seed', '7')
  expect(failed, output).toBe(false)
  const metres = [...output.matchAll(/points 1, (\d+) m off/g)].map(([, text]) => Number(text))
  expect(metres).toHaveLength(6)
  for (const distance of metres) expect(distance).toBeLessThanOrEqual(400)
})

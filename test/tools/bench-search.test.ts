// @module-tag slow
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

// It fails where the service and the SQL by hand find other listings.
it('compares searches with SQL by hand that finds the same', { timeout: 300_000 }, async () => {
  const options = ['--sizes', '1000', '--questions', '24', '--enough', '10']
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/bench-search.ts', ...options])
  expect(stdout).toContain('### 1,000 listings')
  for (const line of ['lists (24)', 'text of 8 words (4)', 'all facets (4)', 'map, zoom 20 (4)'])
    expect(stdout).toContain(`| ${line} | **`)
  for (const line of ['with portions', 'make it visible', 'different filters, over HTTP'])
    expect(stdout).toMatch(new RegExp(`\\| ${line} \\| [\\d,]+ \\|`))
})

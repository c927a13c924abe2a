// @module-tag slow
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

it('measures what each record takes, and what each call costs', { timeout: 300_000 }, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['tools/bench-scale.ts', '--records', '100'])
  const figures = (line: string) =>
    line
      .split('|')
      .slice(2, -1)
      .map((cell) => Number(cell.replace(/[$,]/g, '')))
  const lines = stdout.split('\n').filter((line) => /^\| (?!record|call|-)/.test(line))
  for (const line of lines)
    expect(
      figures(line).every((figure) => figure >= 0),
      line,
    ).toBe(true)
  const bytesOf = (name: string) =>
    figures(lines.find((line) => line.startsWith(`| ${name} |`)) ?? '')[0] ?? 0
  // A listing has two texts of 2,200 Greek letters, which are two bytes each.
  expect(bytesOf('draft of a listing')).toBeGreaterThan(8_800)
  expect(bytesOf('contact')).toBeGreaterThan(300)
  for (const call of ['facets', 'map', 'size of a picture, made', 'feed of a portal, kept', 'change a price'])
    expect(stdout).toContain(`| ${call} |`)
})

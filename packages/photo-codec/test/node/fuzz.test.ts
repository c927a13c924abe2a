// @module-tag slow
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const FORMATS = ['gif', 'jpeg', 'png', 'webp']

type Report = Record<string, Record<string, number>>

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'estia-fuzz-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs the script and reads how many pictures of each format became what: `gif: rendered 20, refused 30`. */
function fuzz(...options: string[]): Promise<{ code: number | null; output: string; report: Report }> {
  return new Promise((resolve) => {
    const script = [join(import.meta.dirname, '../../fuzz/main.ts'), '--keep', folder, ...options]
    const child = execFile(process.execPath, script, { maxBuffer: 1 << 26 }, (_, stdout, stderr) => {
      const report: Report = {}
      for (const [, format = '', kinds = ''] of stdout.matchAll(/^(\w+): ((?:\w+ \d+(?:, )?)+)$/gm))
        report[format] = Object.fromEntries(
          Array.from(kinds.matchAll(/(\w+) (\d+)/g), ([, kind, count]) => [kind, Number(count)]),
        )
      resolve({ code: child.exitCode, output: stdout + stderr, report })
    })
  })
}

describe('damaged pictures', () => {
  it('become a picture or a refusal, and nothing else', async () => {
    const { code, output, report } = await fuzz('--seed', '1', '--inputs', '1000')
    expect(code, output).toBe(0)
    expect(new Set(Object.keys(report))).toEqual(new Set(FORMATS))
    for (const [format, { rendered, refused }] of Object.entries(report)) {
      expect(rendered, format).toBeGreaterThan(20)
      expect(refused, format).toBeGreaterThan(20)
    }
  })

  it('are the same for the same seed', async () => {
    const options = ['--seed', '5', '--inputs', '100', '--only', 'gif']
    const [first, second] = await Promise.all([fuzz(...options), fuzz(...options)])
    expect(Object.keys(first.report), first.output).toEqual(['gif'])
    expect(first.report).toEqual(second.report)
  })

  it('that take too long are reported and kept', async () => {
    const options = ['--only', 'gif', '--inputs', '1', '--seed', '1', '--limit', '0.01']
    const { code, output, report } = await fuzz(...options)
    expect(code, output).toBe(1)
    expect(report).toMatchObject({ gif: { hang: 1 } })
    expect((await readdir(folder)).some((name) => /^hang-[0-9a-f]{10}\.gif$/.test(name))).toBe(true)
  })
})

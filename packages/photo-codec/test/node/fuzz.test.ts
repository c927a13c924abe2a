// @module-tag slow
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const FORMATS = ['gif', 'jpeg', 'png', 'webp']

interface Report {
  formats: Record<string, { rendered: number; refused: number; hang?: number }>
}

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'estia-fuzz-'))
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** Runs the script and reads the report in its last line. */
function fuzz(...options: string[]): Promise<{ code: number | null; output: string; report: Report }> {
  return new Promise((resolve) => {
    const script = [join(import.meta.dirname, '../../fuzz/main.ts'), '--json', '--keep', folder, ...options]
    const child = execFile(process.execPath, script, { maxBuffer: 1 << 26 }, (_, stdout, stderr) => {
      const last = stdout.trimEnd().split('\n').at(-1) ?? ''
      const report: Report = last.startsWith('{') ? JSON.parse(last) : { formats: {} }
      resolve({ code: child.exitCode, output: stdout + stderr, report })
    })
  })
}

describe('damaged pictures', () => {
  it('become a picture or a refusal, and nothing else', async () => {
    const { code, output, report } = await fuzz('--seed', '1', '--inputs', '1000')
    expect(code, output).toBe(0)
    expect(Object.keys(report.formats).toSorted((a, b) => a.localeCompare(b))).toEqual(FORMATS)
    for (const [format, { rendered, refused }] of Object.entries(report.formats)) {
      expect(rendered, format).toBeGreaterThan(20)
      expect(refused, format).toBeGreaterThan(20)
    }
  })

  it('are the same for the same seed', async () => {
    const options = ['--seed', '5', '--inputs', '100', '--only', 'gif']
    const [first, second] = await Promise.all([fuzz(...options), fuzz(...options)])
    expect(Object.keys(first.report.formats), first.output).toEqual(['gif'])
    expect(first.report.formats).toEqual(second.report.formats)
  })

  it('that take too long are reported and kept', async () => {
    const { code, output, report } = await fuzz(
      '--only',
      'gif',
      '--inputs',
      '1',
      '--seed',
      '1',
      '--limit',
      '0.01',
    )
    expect(code, output).toBe(1)
    expect(report.formats).toMatchObject({ gif: { hang: 1 } })
    expect((await readdir(folder)).some((name) => /^hang-[0-9a-f]{10}\.gif$/.test(name))).toBe(true)
  })
})

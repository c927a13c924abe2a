/** Makes what the Worker is built from before any test runs, and keeps noise of the runtime out of the output. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TestProject } from 'vitest/node'
import { KEPT_BUNDLES } from '../../tools/runtime/bundle.ts'

/**
 * Logged by workerd, with a stack trace, whenever the service answers 304, 412 or 416 without reading a stored file, and
 * when storage is emptied while work of an earlier test still uses it.
 */
const NOISE = /disconnected: pump canceled|Application called deleteAllDurableObjects/

/** Compiled code of wrangler and of the scripts, which the tests start dozens of times. */
const COMPILED = 'node_modules/.cache/node'

export function setup(project: TestProject): () => void {
  process.env.NODE_COMPILE_CACHE ??= resolve(COMPILED)
  const bundles = mkdtempSync(join(tmpdir(), 'estia-bundles-'))
  process.env[KEPT_BUNDLES] = bundles
  const forget = () => {
    for (const name of readdirSync(bundles)) rmSync(join(bundles, name), { recursive: true, force: true })
  }
  // In watch mode a source has changed.
  project.onTestsRerun(async () => forget())
  execFileSync('npm', ['run', '--silent', 'generate'], { stdio: 'inherit' })
  // The pool writes the log of workerd here, and has no setting to filter it.
  process.stdout.write = new Proxy(process.stdout.write, {
    apply: (write, stdout, parameters) =>
      NOISE.test(String(parameters[0])) || Reflect.apply(write, stdout, parameters),
  })
  return () => rmSync(bundles, { recursive: true, force: true })
}

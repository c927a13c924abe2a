/** Makes what the Worker is built from before any test runs, and keeps noise of the runtime out of the output. */
import { execFileSync } from 'node:child_process'

/**
 * Logged by workerd, with a stack trace, whenever the service answers 304, 412 or 416 without reading a stored file, and
 * when storage is emptied while work of an earlier test still uses it.
 */
const NOISE = /disconnected: pump canceled|Application called deleteAllDurableObjects/

export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'generate'], { stdio: 'inherit' })
  // The pool writes the log of workerd here, and has no setting to filter it.
  process.stdout.write = new Proxy(process.stdout.write, {
    apply: (write, stdout, parameters) =>
      NOISE.test(String(parameters[0])) || Reflect.apply(write, stdout, parameters),
  })
}

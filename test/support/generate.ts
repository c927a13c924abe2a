/** Generates files that the Worker needs before any test runs, and filters one line of the runtime from the output. */
import { execFileSync } from 'node:child_process'

/** Logged by workerd, with a stack trace, whenever the service answers 304, 412 or 416 without reading a stored file. */
const UNREAD_FILE = /disconnected: pump canceled/

export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'generate'], { stdio: 'inherit' })
  // The pool writes the log of workerd here, and has no setting to filter it.
  process.stdout.write = new Proxy(process.stdout.write, {
    apply: (write, stdout, parameters) =>
      UNREAD_FILE.test(String(parameters[0])) || Reflect.apply(write, stdout, parameters),
  })
}

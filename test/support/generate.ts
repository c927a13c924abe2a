/** Makes what the Worker is built from before any test runs. */
import { execFileSync } from 'node:child_process'

export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'generate'], { stdio: 'inherit' })
}

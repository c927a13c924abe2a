/** Commands of package.json as programs. */
import { execFile } from 'node:child_process'
import { ADMIN_TOKEN } from './agency.ts'

/** What a command printed, and its exit code. */
interface Ran {
  code: number
  output: string
  errors: string
}

/** Runs a script to its end, with ADMIN_TOKEN in its environment unless `token` is null, and with `more`. */
export function run(
  script: string,
  parameters: string[],
  token: string | null = ADMIN_TOKEN,
  more: NodeJS.ProcessEnv = {},
): Promise<Ran> {
  const { ADMIN_TOKEN: _, ...env } = process.env
  const quiet = {
    CI: 'true',
    NO_COLOR: '1',
    WRANGLER_SEND_METRICS: 'false',
    CLOUDFLARE_CF_FETCH_ENABLED: 'false',
  }
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [script, ...parameters],
      { env: { ...env, ...quiet, ...(token ? { ADMIN_TOKEN: token } : {}), ...more } },
      (error, output, errors) => resolve({ code: error ? Number(error.code ?? 1) : 0, output, errors }),
    )
  })
}

/** A service on this machine whose data is thrown away: to try a backup. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from '../service/admin.ts'
import { freePort } from '../start/port.ts'
import { LOCAL_VARS, prepare } from '../start/prepare.ts'
import { Server, wranglerCommand } from '../start/server.ts'

/** Runs `use` with an empty service. */
export async function withLocalService<T>(
  signal: AbortSignal,
  use: (service: Service) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'estia-try-'))
  const adminToken = randomBytes(16).toString('hex')
  const port = await freePort()
  const vars = Object.entries({ ADMIN_TOKEN: adminToken, ...LOCAL_VARS })
  const parameters = [
    ['--port', String(port), '--persist-to', folder, '--inspector-port', '0'],
    '--show-interactive-dev-session=false',
    ...vars.map(([name, value]) => ['--var', `${name}:${value}`]),
  ].flat()
  const server = new Server(`http://localhost:${port}`, wranglerCommand('dev', ...parameters))
  try {
    await prepare(folder, signal)
    const running = server.run()
    await Promise.race([running, server.ready])
    const work = use({ url: `http://localhost:${port}`, adminToken, signal })
    return await Promise.race([work, running.then(() => Promise.reject(new Error('The server has ended.')))])
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

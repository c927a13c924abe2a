/** A service on this machine whose data is thrown away: to try a backup, and for tests. */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Service } from '../service/admin.ts'
import { freePort } from './port.ts'
import { LOCAL_VARS, migrate } from './prepare.ts'
import { devServer, type Server } from './server.ts'

export interface LocalService extends Service {
  /** Throws if the server ends by itself. */
  ended: Promise<never>
  /** Ends the server and removes its data. */
  stop: () => Promise<void>
}

interface LocalOptions {
  signal?: AbortSignal
  /** More variables, which may be of what the folder of the data has. */
  varsOf?: (folder: string) => Promise<Record<string, string>>
  /** Of `wrangler dev`. */
  options?: string[]
}

/** Starts an empty service of what is built. */
export async function startLocalService({
  signal = new AbortController().signal,
  varsOf,
  options = [],
}: LocalOptions = {}): Promise<LocalService> {
  const folder = await mkdtemp(join(tmpdir(), 'estia-try-'))
  const adminToken = randomBytes(16).toString('hex')
  const port = await freePort()
  let server: Server | undefined
  const stop = async () => {
    await server?.stop()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  try {
    await migrate(folder, signal)
    const vars = { ...LOCAL_VARS, ADMIN_TOKEN: adminToken, ...(await varsOf?.(folder)) }
    server = devServer(port, vars, ['--persist-to', folder, ...options])
    const ended = server.run().then(() => Promise.reject(new Error('The server has ended.')))
    // Who waits for it throws it.
    ended.catch(() => undefined)
    await Promise.race([ended, server.ready])
    return { url: `http://localhost:${port}`, adminToken, signal, ended, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

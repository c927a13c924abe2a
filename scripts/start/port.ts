/** Checks first of all whether the port of a script is free. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** The addresses of `localhost`; some machines lack the second. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Parses a port. Throws if it is invalid. */
export function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port > 0 && port < 65_536) return port
  throw new Error(`PORT has to be a number from 1 to 65535, not "${text}".`)
}

/** Throws if the port cannot be used; the message says how to run `script` on another one. */
export async function requireFreePort(port: number, script: string): Promise<void> {
  const obstacle = await obstacleOf(port)
  if (!obstacle) return
  const reason = obstacle === 'EACCES' ? 'may not be used by this user' : 'is taken by another program'
  throw new Error(`Port ${port} ${reason}. Take another: ${command(await freePort(), script)}`)
}

/** The command that starts on a port, for the shell of this system. */
function command(port: number, script: string): string {
  return process.platform === 'win32' ? `$env:PORT=${port}; ${script}` : `PORT=${port} ${script}`
}

/** Why the port cannot be used, `EADDRINUSE` or `EACCES`; null if it is free. */
async function obstacleOf(port: number): Promise<string | null> {
  for (const host of LOOPBACK) {
    const server = createServer()
    try {
      await once(server.listen({ port, host, exclusive: true }), 'listening')
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EADDRINUSE' || code === 'EACCES') return code
    } finally {
      server.close()
    }
  }
  return null
}

/** A free port of the loopback interface. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

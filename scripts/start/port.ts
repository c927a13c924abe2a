/** Checks first of all whether the port of a script is free. */
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'

/** How many of the following ports are tried to suggest a free one. */
const NEIGHBOURS = 20
/** The addresses of `localhost`; some machines lack the second. */
const LOOPBACK = ['127.0.0.1', '::1']

/** Parses a port. Throws if it is invalid. */
export function readPort(text: string): number {
  const port = Number(text)
  if (/^\d{1,5}$/.test(text) && port > 0 && port < 65_536) return port
  throw new Error(`PORT has to be a number from 1 to 65535, not "${text}".`)
}

/**
 * Throws if the port is in use. The message names the program, if known, and how to run `script` on another port.
 */
export async function requireFreePort(port: number, script: string): Promise<void> {
  const obstacle = await obstacleOf(port)
  if (!obstacle) return
  if (obstacle === 'EACCES')
    throw new Error(`Port ${port} may not be used by this user. Take another: ${await command(8787, script)}`)
  if (await isEstia(port)) {
    const another = await command(port + 1, script)
    throw new Error(`An Estia runs at http://localhost:${port} already. Take another port: ${another}`)
  }
  throw new Error(
    `Port ${port} is taken by another program. Take another: ${await command(port + 1, script)}`,
  )
}

/** The command that starts on the first free port from `first` on, for the shell of this system. */
async function command(first: number, script: string): Promise<string> {
  let port = first
  while (port < Math.min(first + NEIGHBOURS, 65_535) && (await obstacleOf(port))) port++
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

async function isEstia(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://localhost:${port}/health`, { signal: AbortSignal.timeout(2_000) })
    const { data } = (await answer.json()) as { data?: { database?: unknown; bucket?: unknown } }
    return data?.database !== undefined && data.bucket !== undefined
  } catch {
    return false
  }
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

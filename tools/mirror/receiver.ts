/** `examples/webhook-receiver.ts`, running. */
import { once } from 'node:events'
import { join } from 'node:path'
import { freePort } from '../../scripts/start/port.ts'
import type { Newcomer } from './newcomer.ts'
import type { MirrorTarget } from './random-writes.ts'

export interface MirrorReceiver {
  /** URL for deliveries. */
  url: string
  /** File of its copy. */
  file: string
  /** Kills it at once, whatever it is doing. */
  kill: () => Promise<void>
  /** Starts it again after it was killed. */
  restart: () => Promise<void>
}

/**
 * Starts the receiver, which listens as soon as its copy is current.
 * @param options.url URL for deliveries; a free port by default
 */
export async function startReceiver(
  newcomer: Newcomer,
  { url, key }: MirrorTarget,
  { name, secret, url: requestedUrl }: { name: string; secret: string; url?: string },
): Promise<MirrorReceiver> {
  const file = join(newcomer.folder, `${name}.db`)
  const port = requestedUrl ? new URL(requestedUrl).port : String(await freePort())
  const settings = {
    ESTIA_URL: url.origin,
    ESTIA_KEY: key,
    DATABASE: file,
    WEBHOOK_SECRET: secret,
    PORT: port,
  }
  const start = async () => {
    const program = newcomer.start('webhook-receiver.ts', settings)
    const listening = new Promise<void>((resolve, reject) => {
      program.stdout?.on('data', (chunk) => String(chunk).includes('Listening') && resolve())
      program.once('close', (code) => reject(new Error(`webhook-receiver.ts ended with ${code}`)))
    })
    await listening
    return program
  }
  let program = await start()
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    file,
    kill: async () => {
      const closed = once(program, 'close')
      program.kill('SIGKILL')
      await closed
    },
    restart: async () => {
      program = await start()
    },
  }
}

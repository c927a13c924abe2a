/**
 * `wrangler dev` as a child of this process: started again when it breaks down, and never left behind.
 *
 * It breaks down when a client breaks off a request, an upload above all (https://github.com/cloudflare/workers-sdk/issues/15203).
 * It hangs when the runtime of its proxy crashes: wrangler restarts that, and every call then waits for ever.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { passOutput } from './output.ts'

/** More starts than this within a minute mean that starting again helps nothing. */
const RESTARTS_A_MINUTE = 5
const START_LIMIT_MS = 180_000
const STOP_LIMIT_MS = 8_000
/** Wrangler holds a call until it can answer, and prints the stack of a broken pipe for each that was given up. */
const HEALTH_LIMIT_MS = 60_000
/** How often a running server is asked whether it answers, and how long it may be busy. */
const WATCH_EVERY_MS = 5_000
const SILENCE_LIMIT_MS = 30_000
/** Between two attempts while connections fail at once. */
const RETRY_MS = 1_000
const END_WITH_PARENT = new URL('end-with-parent.ts', import.meta.url).href

/** Wrangler itself: neither its `.cmd`, which Windows cannot spawn, nor the launcher that keeps it as a child. */
const WRANGLER = createRequire(import.meta.url).resolve('wrangler')

/** What a node process has to be called with to be wrangler. */
export const wranglerCommand = (...parameters: string[]) => ['--no-warnings', WRANGLER, ...parameters]

/** Whether a server that ended at these moments (in milliseconds, the latest last) may be started again. */
export function mayStartAgain(ends: number[]): boolean {
  const latest = ends.at(-1) ?? 0
  return ends.filter((end) => latest - end < 60_000).length <= RESTARTS_A_MINUTE
}

/** The server, from its first start to `stop`. */
export class Server {
  private readonly url: string
  private readonly parameters: string[]
  private child: ChildProcess | undefined
  private up = Promise.withResolvers<void>()
  /** When it broke down, in milliseconds. */
  private readonly ends: number[] = []
  private readonly stopping = new AbortController()

  /** @param parameters of `wrangler dev` */
  constructor(url: string, parameters: string[]) {
    this.url = url
    this.parameters = parameters
  }

  /** How often it broke down. */
  get breakdowns(): number {
    return this.ends.length
  }

  /** Resolves while it answers. */
  get ready(): Promise<void> {
    return this.up.promise
  }

  /**
   * Runs it until it is stopped. Throws when it does not start, and when it breaks down again and again.
   */
  async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const child = this.spawn()
      const ended = once(child, 'exit')
      const isUp = await this.becomesHealthy(child)
      if (isUp) {
        if (this.breakdowns > 0) console.error('The server runs again.')
        this.up.resolve()
      } else {
        if (!hasEnded(child)) kill(child)
        if (this.breakdowns === 0 && !this.stopping.signal.aborted)
          throw new Error('The server did not start; what stands above may say why.')
      }
      const isSilent = await Promise.race([ended.then(() => false), this.becomesSilent(child)])
      if (isUp) this.up = Promise.withResolvers()
      if (this.stopping.signal.aborted) return
      this.ends.push(Date.now())
      await end(child)
      if (!mayStartAgain(this.ends))
        throw new Error(
          `The server broke down ${RESTARTS_A_MINUTE + 1} times within a minute; it stays down.`,
        )
      console.error(
        isSilent
          ? 'The server does not answer any more. Starting it again …'
          : 'The server broke down, as it does when a client breaks off a request. Starting it again …',
      )
    }
  }

  /** Ends it, and what it started. */
  async stop(): Promise<void> {
    this.stopping.abort()
    if (this.child) await end(this.child)
  }

  /** Whether it answers at all, in time for one that is only busy or has just lost a connection. */
  async answers(): Promise<boolean> {
    const deadline = Date.now() + SILENCE_LIMIT_MS
    for (let left = SILENCE_LIMIT_MS; left > 0; left = deadline - Date.now()) {
      if ((await healthOf(this.url, left)) !== null) return true
      await wait(Math.min(RETRY_MS, Math.max(0, deadline - Date.now())))
    }
    return false
  }

  private spawn(): ChildProcess {
    this.child = spawn(
      process.execPath,
      ['--import', END_WITH_PARENT, ...wranglerCommand('dev', ...this.parameters)],
      { stdio: ['ignore', 'inherit', 'pipe', 'ipc'], windowsHide: true, env: environment() },
    )
    if (this.child.stderr) passOutput(this.child.stderr, process.stderr)
    return this.child
  }

  /** Resolves to true once a running server does not answer any more. */
  private async becomesSilent(child: ChildProcess): Promise<boolean> {
    do {
      await wait(WATCH_EVERY_MS, undefined, { ref: false })
    } while (!hasEnded(child) && (await this.answers()))
    return !hasEnded(child)
  }

  /** Waits until it answers; false when it ends before, or takes too long. */
  private async becomesHealthy(child: ChildProcess): Promise<boolean> {
    const deadline = Date.now() + START_LIMIT_MS
    while (!hasEnded(child) && Date.now() < deadline) {
      if ((await isHealthy(this.url)) && !hasEnded(child)) return true
      await wait(250)
    }
    return false
  }
}

/** Whether the service at `url` answers and is well; waits for a slow answer. */
export async function isHealthy(url: string): Promise<boolean> {
  return (await healthOf(url, HEALTH_LIMIT_MS)) === true
}

/** Whether the service at `url` is well; null when no answer comes in time. */
async function healthOf(url: string, limit: number): Promise<boolean | null> {
  try {
    const answer = await fetch(`${url}/health`, { signal: AbortSignal.timeout(limit) })
    // One that is not read breaks its connection off.
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return null
  }
}

/** Colours, as wrangler would choose them if its errors went to the terminal directly. */
function environment(): NodeJS.ProcessEnv {
  const isColoured = process.stderr.isTTY && !process.env.NO_COLOR
  return isColoured ? { FORCE_COLOR: '1', ...process.env } : process.env
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Ends `child` and what it started: by the closed channel, in the end by force. */
async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  if (child.connected) child.disconnect()
  const limit = new AbortController()
  const late = wait(STOP_LIMIT_MS, true, { signal: limit.signal }).catch(() => false)
  if (await Promise.race([ended.then(() => false), late])) kill(child)
  limit.abort()
  await ended
}

/** Without asking; on Windows the processes below it too. */
function kill(child: ChildProcess): void {
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'])
  else child.kill('SIGKILL')
}

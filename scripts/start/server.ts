/**
 * Runs `wrangler dev` as a child process: restarts it when it crashes, and always ends it with this process.
 *
 * It crashes when a client aborts an upload, which the Worker cannot prevent: the proxy of wrangler fails to read the rest
 * (https://github.com/cloudflare/workers-sdk/issues/15203, with a fix that is not released). It hangs when the runtime of its proxy crashes: wrangler
 * restarts that, and then every call waits forever.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { setTimeout as wait } from 'node:timers/promises'
import { passOutput, showMails } from './output.ts'

/** Restarts per minute without a pause. Each further one waits longer, so that endless crashes cost little. */
const RESTARTS_AT_ONCE = 5
/** What each further restart waits longer, and at most, in ms. */
const PAUSE_STEP_MS = 5_000
const MAX_PAUSE_MS = 30_000
/** Failed starts in a row after which another would not help either. */
const MAX_FAILED_STARTS = 3
const START_LIMIT_MS = 180_000
const STOP_LIMIT_MS = 8_000
/** Long, because wrangler holds a call until it can reply, and prints a stack for each call that is aborted. */
const HEALTH_LIMIT_MS = 60_000
/** Interval of the checks of a running server, and how long it may be silent, in ms. */
const WATCH_EVERY_MS = 5_000
const SILENCE_LIMIT_MS = 30_000
/** Pause between attempts while connections fail immediately, in ms. */
const RETRY_MS = 1_000
/** Where the service says whether it is well. */
const HEALTH = '/health'
const END_WITH_PARENT = new URL('end-with-parent.ts', import.meta.url).href

/** The script of wrangler. Windows cannot spawn its `.cmd`, and its launcher would run it as another child. */
const WRANGLER = createRequire(import.meta.url).resolve('wrangler')

/** The arguments for Node that run wrangler. */
export const wranglerCommand = (...parameters: string[]) => ['--no-warnings', WRANGLER, ...parameters]

/** A server of `wrangler dev` on this machine, with these variables and options. Its `path` answers once it is there. */
export function devServer(
  port: number,
  vars: Record<string, string>,
  options: string[],
  path = HEALTH,
): Server {
  const parameters = [
    ['--port', String(port), '--show-interactive-dev-session=false'],
    // Any free port: two services that start at the same time would both find the default free.
    ['--inspector-port', '0'],
    ...Object.entries(vars).map(([name, value]) => ['--var', `${name}:${value}`]),
  ].flat()
  return new Server(`http://localhost:${port}`, wranglerCommand('dev', ...parameters, ...options), path)
}

/** How long to wait before the next start, in ms, after the server ended at these times (in ms, latest last). */
export function pauseAfter(ends: number[]): number {
  const latest = ends.at(-1) ?? 0
  const recent = ends.filter((end) => latest - end < 60_000).length
  return Math.min(MAX_PAUSE_MS, Math.max(0, recent - RESTARTS_AT_ONCE) * PAUSE_STEP_MS)
}

/** The server, from its first start until `stop`. */
export class Server {
  /** An address that answers with success once the server is there. */
  private readonly health: string
  private readonly command: string[]
  private child: ChildProcess | undefined
  private up = Promise.withResolvers<void>()
  /** Times of its crashes, in ms. */
  private readonly ends: number[] = []
  private readonly stopping = new AbortController()

  /**
   * @param command the arguments for Node that run the server, such as those of `wranglerCommand`
   * @param path an address of the server that answers with success
   */
  constructor(url: string, command: string[], path = HEALTH) {
    this.health = url + path
    this.command = command
  }

  /** Number of crashes. */
  get breakdowns(): number {
    return this.ends.length
  }

  /** Resolves as soon as the server replies; pending again after a crash. */
  get ready(): Promise<void> {
    return this.up.promise
  }

  /** Runs the server until it is stopped. Throws if it does not start. */
  async run(): Promise<void> {
    let failedStarts = 0
    while (!this.stopping.signal.aborted) {
      const child = this.spawn()
      const ended = once(child, 'exit')
      const isUp = await this.becomesHealthy(child)
      if (isUp) {
        failedStarts = 0
        if (this.breakdowns > 0) console.error('The server runs again.')
        this.up.resolve()
      } else {
        if (!hasEnded(child)) kill(child)
        failedStarts += 1
        const isHopeless = this.breakdowns === 0 || failedStarts >= MAX_FAILED_STARTS
        if (isHopeless && !this.stopping.signal.aborted)
          throw new Error('The server did not start; the lines above may say why.')
      }
      const isSilent = await Promise.race([ended.then(() => false), this.becomesSilent(child)])
      if (isUp) this.up = Promise.withResolvers()
      if (this.stopping.signal.aborted) return
      this.ends.push(Date.now())
      await end(child)
      const pause = pauseAfter(this.ends)
      const reason = isSilent
        ? 'The server does not answer any more.'
        : 'The server broke down, as it does when a client breaks off a request.'
      console.error(`${reason} Starting it again ${pause > 0 ? `in ${pause / 1000} seconds ` : ''}…`)
      await wait(pause, undefined, { signal: this.stopping.signal }).catch(() => undefined)
    }
  }

  /** Ends the server and its child processes. */
  async stop(): Promise<void> {
    this.stopping.abort()
    if (this.child) await end(this.child)
  }

  /** Whether the server replies within the limit, which allows for load and for lost connections. */
  async answers(): Promise<boolean> {
    const deadline = Date.now() + SILENCE_LIMIT_MS
    for (let left = SILENCE_LIMIT_MS; left > 0; left = deadline - Date.now()) {
      if ((await healthOf(this.health, left)) !== null) return true
      await wait(Math.min(RETRY_MS, Math.max(0, deadline - Date.now())))
    }
    return false
  }

  private spawn(): ChildProcess {
    this.child = spawn(process.execPath, ['--import', END_WITH_PARENT, ...this.command], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      windowsHide: true,
      env: environment(),
    })
    if (this.child.stdout) showMails(this.child.stdout, process.stdout)
    if (this.child.stderr) passOutput(this.child.stderr, process.stderr)
    return this.child
  }

  /** Waits until the server stops replying, then resolves to true; resolves to false if it ends. */
  private async becomesSilent(child: ChildProcess): Promise<boolean> {
    do {
      await wait(WATCH_EVERY_MS, undefined, { ref: false })
    } while (!hasEnded(child) && (await this.answers()))
    return !hasEnded(child)
  }

  /** Waits until the server replies; false if it ends first or takes too long. */
  private async becomesHealthy(child: ChildProcess): Promise<boolean> {
    const deadline = Date.now() + START_LIMIT_MS
    while (!hasEnded(child) && Date.now() < deadline) {
      if ((await healthOf(this.health, HEALTH_LIMIT_MS)) && !hasEnded(child)) return true
      await wait(250)
    }
    return false
  }
}

/** Whether the service at `url` is healthy; waits for a slow reply. */
export async function isHealthy(url: string): Promise<boolean> {
  return (await healthOf(url + HEALTH, HEALTH_LIMIT_MS)) === true
}

/** Whether an address answers with success; null if there is no reply in time. */
async function healthOf(address: string, limit: number): Promise<boolean | null> {
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(limit) })
    // An unread body would abort the connection.
    await answer.arrayBuffer()
    return answer.ok
  } catch {
    return null
  }
}

/** Has wrangler print the mails it simulates, and colours if it would use them when writing to the terminal directly. */
function environment(): NodeJS.ProcessEnv {
  const isColoured = process.stderr.isTTY && !process.env.NO_COLOR
  return { ...(isColoured ? { FORCE_COLOR: '1' } : {}), ...process.env, WRANGLER_LOG: 'log' }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

/** Ends `child` and its child processes: first by closing the channel, then by force. */
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

/** Kills `child`; on Windows its child processes as well. */
function kill(child: ChildProcess): void {
  if (process.platform === 'win32') spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'])
  else child.kill('SIGKILL')
}

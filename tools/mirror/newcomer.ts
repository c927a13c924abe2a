/** The examples as a new user has them: in a separate folder, with the client package of a deployment. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'

/** What the examples need besides the client. */
const LIBRARIES = ['hono', '@hono/node-server', '@types/node', 'undici-types']

export interface Newcomer {
  folder: string
  /** Starts a program of `examples/`. */
  start: (name: string, environment: Record<string, string>) => ChildProcess
  /** Runs a program to its end and returns its output. Throws when it fails. */
  run: (name: string, environment: Record<string, string>) => Promise<string>
  remove: () => Promise<void>
}

/**
 * Installs the client from its file, without any registry.
 * @param client path or address of the package
 */
export async function startNewcomer(client: string): Promise<Newcomer> {
  const folder = await mkdtemp(join(tmpdir(), 'estia-mirror-'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  const settings = ['--registry', 'http://127.0.0.1:9/', '--no-audit', '--no-fund', '--prefer-offline']
  await promisify(execFile)('npm', ['install', client, ...settings], { cwd: folder })
  for (const library of LIBRARIES) {
    const place = join(folder, 'node_modules', library)
    await mkdir(join(place, '..'), { recursive: true })
    await symlink(resolve('node_modules', library), place, 'junction')
  }
  await cp('examples', folder, { recursive: true })
  const start = (name: string, environment: Record<string, string>) => {
    const program = spawn(process.execPath, [name], {
      cwd: folder,
      env: { ...process.env, NODE_NO_WARNINGS: '1', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    // Not inherited, so that Vitest can hide the output of tests that pass.
    program.stderr.on('data', (chunk) => console.error(String(chunk)))
    return program
  }
  return {
    folder,
    start,
    run: async (name, environment) => {
      const program = start(name, environment)
      const printed: string[] = []
      program.stdout?.on('data', (chunk) => printed.push(String(chunk)))
      const [code] = await once(program, 'close')
      if (code !== 0) throw new Error(`${name} ended with ${code}: ${printed.join('')}`)
      return printed.join('')
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

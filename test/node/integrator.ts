/** A project of somebody who installed the client, in a temporary folder. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildClient } from '../../scripts/build/client.ts'

/** Compiler options for a program that runs in Node. */
export const FOR_NODE = ['--module', 'nodenext', '--types', 'node', '--lib', 'es2022']

const TSC = resolve('node_modules/typescript/bin/tsc')

/** Builds the client and installs it, with the types of Node, in a project that compiles strictly. */
export async function startProject() {
  const folder = await mkdtemp(join(tmpdir(), 'estia-client-'))
  await buildClient(join(folder, 'node_modules/estia'))
  await mkdir(join(folder, 'node_modules/@types'))
  await symlink(resolve('node_modules/@types/node'), join(folder, 'node_modules/@types/node'), 'junction')
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  return {
    folder,
    entry: pathToFileURL(join(folder, 'node_modules/estia/index.js')).href,
    write: (name: string, text: string) => writeFile(join(folder, name), text),
    /** Type-checks a file; gives the compiler's complaints. */
    compile: (name: string, ...options: string[]) =>
      run(folder, [TSC, '--noEmit', '--strict', '--target', 'es2022', ...options, name]),
    /** Runs a file; gives what it prints. */
    run: (name: string, environment: Record<string, string>) => run(folder, [name], environment),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

function run(cwd: string, parameters: string[], environment: Record<string, string> = {}): Promise<string> {
  const env = { ...process.env, NODE_NO_WARNINGS: '1', ...environment }
  return new Promise((done) => {
    execFile(process.execPath, parameters, { cwd, env }, (_, output, errors) => done(output + errors))
  })
}

/** Runs the commands of a guide one block after the other in one bash, as a reader would, and notes every call of curl. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** For the commands of one guide, in milliseconds. */
const TIME_LIMIT = 120_000

/** A call of curl. */
export interface Call {
  status: number
  /** Names in lower case. */
  headers: Map<string, string>
  body: string
}

/** What became of a block. */
export interface Ran {
  /** What it printed, errors included. */
  output: string
  calls: Call[]
  /** Commands that failed. */
  failed: string[]
}

/**
 * Runs blocks in `folder`, each under its name in `records`, and gives what became of them. They get no variables: what a
 * guide uses, it sets.
 */
export async function runBlocks(folder: string, records: string, blocks: { text: string }[]): Promise<Ran[]> {
  const places = blocks.map((_, index) => join(records, String(index)))
  const script = ['unset URL KEY ADMIN_TOKEN', 'set -E -o pipefail']
  for (const [index, { text }] of blocks.entries()) {
    const place = join(records, String(index))
    await mkdir(join(place, 'calls'), { recursive: true })
    await writeFile(join(place, 'block.sh'), text)
    script.push(
      `export CALLS=${place}/calls`,
      `trap 'echo "$BASH_COMMAND" >> ${place}/failed' ERR`,
      `source ${place}/block.sh > ${place}/output 2>&1`,
    )
  }
  await installCurl(records)
  const env = { ...process.env, PATH: `${records}:${process.env.PATH}`, NO_COLOR: '1' }
  await runBash(script.join('\n'), folder, env)
  return Promise.all(places.map(readRan))
}

/** Ends whatever the script has started when it takes too long: what waits for something fails its block. */
async function runBash(script: string, cwd: string, env: NodeJS.ProcessEnv): Promise<void> {
  const bash = spawn('bash', ['-c', script], { cwd, env, stdio: 'ignore', detached: true })
  const { pid } = bash
  const timer = setTimeout(() => pid !== undefined && process.kill(-pid, 'SIGKILL'), TIME_LIMIT)
  await once(bash, 'exit')
  clearTimeout(timer)
}

/** A curl before the real one that notes head and body of what comes. */
async function installCurl(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const curl = execFileSync('bash', ['-c', 'command -v curl'], { encoding: 'utf8' }).trim()
  const text = `#!/bin/bash
call="$CALLS/$(printf %04d "$(ls "$CALLS" | wc -l)")"
mkdir "$call"
${curl} -sS --dump-header "$call/head" "$@" | tee "$call/body"
exit "\${PIPESTATUS[0]}"
`
  await writeFile(join(folder, 'curl'), text)
  await chmod(join(folder, 'curl'), 0o755)
}

async function readRan(place: string): Promise<Ran> {
  const read = (name: string) => readFile(join(place, name), 'utf8').catch(() => '')
  const names = (await readdir(join(place, 'calls'))).toSorted()
  return {
    output: await read('output'),
    // The block as a whole fails with its last command.
    failed: (await read('failed')).split('\n').filter((line) => line && !line.startsWith('source ')),
    calls: await Promise.all(
      names.map(async (name) => callOf(await read(`calls/${name}/head`), await read(`calls/${name}/body`))),
    ),
  }
}

function callOf(head: string, body: string): Call {
  // A long body may have waited for `100 Continue`.
  const [first = '', ...lines] = head.trim().split('\r\n\r\n').at(-1)?.split('\r\n') ?? []
  return {
    status: Number(first.split(' ')[1] ?? 0),
    headers: new Map(
      lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 2),
      ]),
    ),
    // `curl -i` prints the head, too.
    body: body.startsWith('HTTP/') ? body.slice(body.indexOf('\r\n\r\n') + 4) : body,
  }
}

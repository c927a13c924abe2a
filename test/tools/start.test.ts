/**
 * `npm start` as a person meets it: a taken port, Ctrl-C, a killed process, an upload that is broken off.
 *
 * @module-tag slow
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { demoLines, listingPictures } from '../../demo/agency.ts'
import { freePort } from '../../scripts/start/port.ts'
import { pauseAfter, Server } from '../../scripts/start/server.ts'
import { temporaryFolder } from './temporary.ts'

/** Some twenty listings of them have pictures. */
const LISTINGS = 30

/** The token that a start has printed. */
const tokenOf = ({ printed }: Start) => /ADMIN_TOKEN='(.+)'/.exec(printed())?.[1] ?? ''

const temporary = temporaryFolder()
const running: ChildProcess[] = []

afterAll(async () => {
  for (const child of running.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})

/** `npm start` with what it has printed so far. */
interface Start {
  child: ChildProcess
  printed: () => string
  /** Waits until it has printed that. */
  says: (text: string | RegExp) => Promise<void>
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>
}

function start(port: number | string, folder: string, ...options: string[]): Start {
  const child = spawn(
    process.execPath,
    ['scripts/start.ts', '--persist-to', folder, '--listings', String(LISTINGS), ...options],
    {
      env: { ...process.env, PORT: String(port), NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  running.push(child)
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
    })
  const ended = once(child, 'close').then(([code, signal]) => (code ?? signal) as number | string)
  const says = async (wanted: string | RegExp) => {
    while (!(typeof wanted === 'string' ? text.includes(wanted) : wanted.test(text))) {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`It ended before it said ${wanted}:\n${text}`)
      await wait(50)
    }
  }
  return { child, printed: () => text, says, ended }
}

/** Until nobody listens there: what was started has ended with the process that started it. */
async function untilFree(port: number): Promise<void> {
  for (;;) {
    const probe = connect(port, '127.0.0.1')
    const taken = await Promise.race([
      once(probe, 'connect').then(() => true),
      once(probe, 'error').then(() => false),
    ]).catch(() => false)
    probe.destroy()
    if (!taken) return
    await wait(100)
  }
}

describe('a port that cannot be had', () => {
  const folder = join(tmpdir(), `estia-never-made-${process.pid}`)

  async function refused(port: number | string): Promise<string> {
    const attempt = start(port, folder)
    expect(await attempt.ended).toBe(1)
    expect(existsSync(folder)).toBe(false)
    expect(attempt.printed()).not.toMatch(/estia_|\n./)
    return attempt.printed()
  }

  it.each(['none', '0', '65536', '8787x', '-1'])('is told when it is none: %s', async (port) => {
    expect(await refused(port)).toBe(`PORT has to be a number from 1 to 65535, not "${port}".\n`)
  })
})

it.each(['none', '10000'])('a number of listings that is none is told: %s', async (listings) => {
  const attempt = start(await freePort(), join(tmpdir(), 'estia-never-made'), `--listings=${listings}`)
  expect(await attempt.ended).toBe(1)
  expect(attempt.printed()).toBe(`--listings has to be a number from 0 to 9999, not "${listings}".\n`)
})

// What follows waits more than it works, so it waits together.
describe.concurrent('a load that is broken off', { timeout: 600_000 }, () => {
  const folder = temporaryFolder()

  const journal = () => join(folder, 'demo-load.json')

  /** Waits until so many listings have pictures, each after those before it. */
  async function untilLoaded(port: number, listings: number): Promise<void> {
    const { listing_id } = listingPictures({ listings: LISTINGS })[listings - 1] ?? { listing_id: 0 }
    for (;;) {
      const key = await readFile(join(folder, 'demo-key'), 'utf8').catch(() => '')
      const read = api<{ photos: unknown[] } | undefined>(port, `/api/listings/${listing_id}`, key)
      if ((await read.catch(() => null))?.data?.photos.length) return
      await wait(20)
    }
  }

  it('goes on where it stopped, and leaves nothing behind', async () => {
    const port = await freePort()

    const killed = start(port, folder)
    await killed.says('Starting the server')
    await untilLoaded(port, 2)
    killed.child.kill('SIGKILL')
    expect(await killed.ended).toBe('SIGKILL')
    await untilFree(port)

    const interrupted = start(port, folder)
    await interrupted.says('going on where the last start stopped')
    await untilLoaded(port, 4)
    interrupted.child.kill('SIGINT')
    expect(await interrupted.ended).toBe(0)
    expect(interrupted.printed()).toContain('Stopped. ')
    expect(interrupted.printed()).not.toContain('Demo key')
    await untilFree(port)

    const third = start(port, folder)
    await third.says('Ctrl-C stops it')
    expect(existsSync(journal())).toBe(false)
    const [, key = ''] = /Demo key +(estia_\w+)/.exec(third.printed()) ?? []

    for (const { listing_id, photos, panoramas } of listingPictures({ listings: LISTINGS })) {
      const { data } = await api<Record<'photos' | 'panorama_photos', unknown[]>>(
        port,
        `/api/listings/${listing_id}`,
        key,
      )
      expect([listing_id, data.photos.length, data.panorama_photos.length]).toEqual([
        listing_id,
        photos.length,
        panoramas.length,
      ])
    }
    const exported = await call(port, '/admin/export', tokenOf(third))
    const entities = (await exported.text())
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).entity)
    // Incomes make expenses of their own.
    const { expenses: _, ...sent } = countEach(
      Array.from(demoLines({ listings: LISTINGS }), ({ entity }) => entity),
    )
    expect(countEach(entities)).toMatchObject(sent)
    const keys = await api<{ name: string }[]>(port, '/admin/keys', tokenOf(third))
    expect(new Set(keys.data.map(({ name }) => name))).toEqual(
      new Set(['demo', 'demo console', 'demo website']),
    )

    const photos = [{ url: 'http://photos.invalid/1.jpg' }]
    expect(await api(port, '/api/listings/1/photos', key, { photos })).toMatchObject({
      data: [{ error: 'Could not download photo' }],
    })
    const enquiry = {
      type: 'viewing',
      listing_id: 2,
      last_name: 'Ρήγα',
      phone: '210',
      message: 'Αύριο;',
      consent: { privacy: true, marketing: false },
    }
    await call(port, '/api/enquiries', key, enquiry)
    await third.says(
      /A mail, which is not sent:\n {2}To: \w+@estia\.example\.com\n {2}Subject: Νέα επικοινωνία .*Ρήγα\n/,
    )
    await third.says(/ {2}\| Αύριο;\n[\s\S]*\.txt\n/)
    await wait(500)
    expect(third.printed()).not.toMatch(/ERROR|WARNING|kj\/|workerd@|"level"/)

    third.child.kill('SIGTERM')
    expect(await third.ended).toBe(0)
    await untilFree(port)
    expect(await readdir(folder)).toEqual(['demo-console-key', 'demo-key', 'demo-publishable-key', 'v3'])
  })
})

/** A call, which is a POST where it has a body. */
const call = (port: number, path: string, key: string, body?: object) =>
  fetch(`http://localhost:${port}${path}`, {
    headers: { Authorization: `Bearer ${key}` },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })

async function api<Data>(...sent: Parameters<typeof call>): Promise<{ data: Data }> {
  return (await (await call(...sent)).json()) as { data: Data }
}

function countEach(names: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1
  return counts
}

/** Announces a body, sends a part of it, and is gone. A server that is down breaks it off itself. */
async function breakOffUpload(port: number, key: string): Promise<void> {
  const socket = connect(port, 'localhost').on('error', () => undefined)
  socket.write(
    `POST /api/listings HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer ${key}\r\n` +
      `Content-Length: 3000000\r\n\r\n{"title": "${'x'.repeat(50_000)}`,
  )
  await wait(1000)
  socket.destroy()
}

/** Ends the runtime that listens on `port`; wrangler puts one in its place that forwards nothing. */
async function killProxy(port: number): Promise<void> {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,args='])
  const line = stdout.split('\n').find((entry) => entry.includes(`--socket-addr=entry=localhost:${port} `))
  process.kill(Number(line?.trim().split(' ')[0]), 'SIGKILL')
}

it.concurrent('a server that breaks down is started again with its data', {
  timeout: 600_000,
}, async () => {
  const port = await freePort()
  const running = start(port, join(temporary, 'broken'), '--empty')
  await running.says('Ctrl-C stops it')
  const wanted = { name: 'kept', scopes: ['*:read', 'listings:write'] }
  const made = await api<{ key: string }>(port, '/admin/keys', tokenOf(running), wanted)
  const { key } = made.data
  await call(port, '/admin/import', tokenOf(running), { entity: 'stores', data: { id: 1, name: 'Kept' } })
  const expectKept = async () =>
    expect((await api<{ name: string }[]>(port, '/api/stores', key)).data.map(({ name }) => name)).toEqual([
      'Kept',
    ])

  const broken = 'The server broke down, as it does when a client breaks off a request. Starting it again'
  // It breaks down only while it reads a body, which it has not begun to where the machine is busy.
  while (!running.printed().includes(broken)) await breakOffUpload(port, key)
  await running.says('The server runs again.')
  await expectKept()

  await killProxy(port)
  await running.says('The server does not answer any more. Starting it again')
  await running.says(/does not answer any more\.[\s\S]*runs again\./)
  await expectKept()

  running.child.kill('SIGTERM')
  expect(await running.ended).toBe(0)
  await untilFree(port)
})

it.concurrent('two starts at once on one folder both come up, empty where they are to be', {
  timeout: 300_000,
}, async () => {
  const ports = [await freePort(), await freePort()]
  const starts = ports.map((port) => start(port, join(temporary, 'shared'), '--empty'))
  await Promise.all(starts.map(({ says }) => says('Ctrl-C stops it')))
  for (const [index, start] of starts.entries()) {
    const { printed } = start
    const url = `http://localhost:${ports[index]}`
    expect(printed()).toContain(`Estia runs at ${url}, without demo data`)
    expect(printed()).toContain(`${url}/console, by the admin token`)
    expect(printed()).toMatch(new RegExp(`npm run keys -- create .* --url ${url}\n`))
    expect(printed()).toContain(`npm run import -- FILE --url ${url}\n`)
    const exported = await call(ports[index] ?? 0, '/admin/export', tokenOf(start))
    expect([exported.status, await exported.text()]).toEqual([200, ''])
  }
  for (const { child, ended } of starts) {
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  }
})

describe('a server that broke down', () => {
  const second = 1000
  it.each([
    ['once', [0], 0],
    ['five times in a minute', [0, 1, 2, 3, 4], 0],
    ['six times in a minute', [0, 1, 2, 3, 4, 5], 5],
    ['seven times in a minute', [0, 1, 2, 3, 4, 5, 10], 10],
    ['a hundred times in a minute', Array.from({ length: 100 }, (_, i) => i / 2), 30],
    ['often, but rarely', [0, 20, 40, 60, 80, 100, 120, 140], 0],
    ['six times in a minute after long quiet', [0, 1000, 1010, 1020, 1030, 1040, 1059], 5],
  ])('is started again, after a pause if that is often: %s', (_, ends, pause) => {
    expect(pauseAfter(ends.map((end) => end * second))).toBe(pause * second)
  })

  /** The arguments for Node of a server that ends after its first answer, and from the start on after so many `starts`. */
  const mortal = (port: number, marks: string, starts: number) => [
    '--eval',
    `const { appendFileSync, readFileSync } = require('node:fs')
    appendFileSync('${marks}', 'x')
    if (readFileSync('${marks}', 'utf8').length > ${starts}) process.exit(1)
    require('node:http').createServer((_, answer) => {
      answer.end('{}')
      setTimeout(() => process.exit(1), 20)
    }).listen(${port}, 'localhost')`,
  ]

  it('runs again after six crashes a minute, and is given up when it does not start any more', {
    timeout: 120_000,
  }, async () => {
    const marks = join(temporary, 'starts')
    const port = await freePort()
    const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const server = new Server(`http://localhost:${port}`, mortal(port, marks, 7))
    await expect(server.run()).rejects.toThrow('The server did not start; the lines above may say why.')
    const lines = printed.mock.calls.map(([line]) => String(line))
    printed.mockRestore()
    const again = 'The server broke down, as it does when a client breaks off a request. Starting it again'
    expect(lines.filter((line) => line === 'The server runs again.')).toHaveLength(6)
    expect(lines.slice(0, 2)).toEqual([`${again} …`, 'The server runs again.'])
    expect(lines.filter((line) => line.startsWith(`${again} in `)).length).toBeGreaterThan(1)
    // Seven that worked, and three in a row that did not.
    expect(await readFile(marks, 'utf8')).toHaveLength(10)
  })
})

// @module-tag slow
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openApiDocument } from '../../scripts/build/document.ts'
import { freePort } from '../../scripts/start/port.ts'
import { startAgency } from '../../tools/runtime/agency.ts'
import { run } from '../../tools/runtime/run.ts'
import { expectMisused, expectRefused } from './refused.ts'
import { listen, temporaryFolder } from './temporary.ts'

const NO_ANSWER = 'no answer (ECONNREFUSED); does the service run there?\n'

const folder = temporaryFolder()
let url = ''

/** Starts during the first tests, which do not call it. */
const starting = startAgency(null, 0)
// `ready` throws it.
starting.catch(() => undefined)

/** Waits until the service runs. */
async function ready(): Promise<void> {
  url = (await starting).url.origin
}

afterAll(async () => (await starting).stop())

/** The last line of an output, which has lines of progress before it where the machine is slow. */
const lastLine = ({ output }: { output: string }) => output.split(/(?<=\n)/).at(-1)

const script = (name: string, ...parameters: string[]) =>
  run(`scripts/${name}.ts`, [...parameters, '--url', url])

async function getApi(path: string, key: string) {
  const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${key}` } })
  return { status: answer.status, body: await answer.json() }
}

async function makeKey(): Promise<{ key: string; id: string }> {
  const scopes = ['--scope', '*:read', '--scope', '*:write']
  const { output } = await script('keys', 'create', '--name', 'test', ...scopes)
  const [, key = '', id = ''] = /^(estia_\w+)\s+Key (\w+)\./.exec(output) ?? []
  return { key, id }
}

/** The scripts of package.json that end with a program of ours, which gets their parameters, and the tools that `tool` runs. */
const SCRIPTS = Object.entries(JSON.parse(readFileSync('package.json', 'utf8')).scripts as object).flatMap(
  ([name, commands]: [string, string]) => {
    const [command, program, ...parameters] = (commands.split(' && ').at(-1) ?? '').split(' ')
    return command === 'node' && program ? [[name, program, parameters] as const] : []
  },
)
const PROGRAMS = [...SCRIPTS, ['tool -- release', 'tools/run.ts', ['release']] as const]

/** For a program that may read files, but write none, and start no other program. */
const HARMLESS = { NODE_OPTIONS: '--permission --allow-fs-read=* --allow-addons', NODE_NO_WARNINGS: '1' }

describe.concurrent.each(PROGRAMS)('npm run %s', (name, program, parameters) => {
  it('prints its usage for --help, and does nothing else', async () => {
    const { code, output, errors } = await run(program, [...parameters, '--help'], null, HARMLESS)
    expect([code, errors]).toEqual([0, ''])
    expect(output).toMatch(new RegExp(`^Usage: .*npm (run )?${name} `, 'm'))
  })

  it('refuses an unknown option in one line', () =>
    expectMisused(run(program, [...parameters, '--bogus'], null), "Unknown option '--bogus'."))
})

it.concurrent('-h is --help', async () => {
  const [short, long] = await Promise.all([
    run('scripts/demo.ts', ['-h']),
    run('scripts/demo.ts', ['--help']),
  ])
  expect(short).toEqual(long)
})

it('every script of ours is among them', () => {
  const ours = ['start', 'keys', 'bench', 'tool', 'examples', 'example', 'generate']
  expect(PROGRAMS.map(([name]) => name)).toEqual(expect.arrayContaining(ours))
})

it.concurrent.each([
  ['demo', ['extra'], "Unexpected argument 'extra'."],
  ['../tools/run', ['castle'], 'There is no tool castle.'],
  ['../tools/run', [], 'Which tool?'],
  ['feeds', [], 'No feed is given.'],
  ['feeds', ['--check'], "Option '--check <value>' argument missing."],
  [
    'keys',
    ['list', '--url', 'localhost:8787'],
    '--url takes an address such as http://localhost:8787, not "localhost:8787".',
  ],
  [
    'import',
    ['package.json', '--url', '127.0.0.1:8787'],
    '--url takes an address such as http://localhost:8787, not "127.0.0.1:8787".',
  ],
  [
    'website',
    ['--url', 'example.com'],
    '--url takes an address such as http://localhost:8787, not "example.com".',
  ],
  [
    'keys',
    ['create', '--name', 'old', '--scope', '*:read', '--expires', '2020-01-01 00:00:00'],
    '--expires 2020-01-01 00:00:00 is past.',
  ],
])('npm run %s refuses %j in one line', (name, parameters, problem) =>
  expectMisused(run(`scripts/${name}.ts`, parameters), problem),
)

it.concurrent('the scopes that `npm run keys -- --help` lists are those of the contract', async () => {
  const { output } = await run('scripts/keys.ts', ['--help'], null)
  const help = output.slice(output.indexOf('Scopes of'))
  const [, names = ''] = /is one of\s([^:]*):/.exec(help) ?? []
  const contract = JSON.stringify(JSON.parse(await openApiDocument()).paths)
  const scopes = (text: string, scope: RegExp) => [...new Set(text.match(scope))].toSorted()
  expect(names.trim().split(/\s+/)).toEqual(scopes(contract, /[a-z-]+(?=:(read|write)\b)/g))
  const others = /\b(admin:[a-z]+|[a-z]+:(public|create))\b/g
  expect(scopes(help, others)).toEqual(scopes(contract, others))
})

it.concurrent('a port that is taken is named in one line, with the command for another', async () => {
  const other = createHttpServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const env = { PORT: String(port), ESTIA_KEY: 'x', WEBHOOK_SECRET: 'x' }
  for (const [script, parameters, command] of [
    ['start', [], 'npm start'],
    ['example', ['--webhooks'], 'npm run example -- --webhooks'],
  ] as const) {
    const message = `^Port ${port} is taken by another program. Take another: PORT=\\d+ ${command}\n$`
    const ran = run(`scripts/${script}.ts`, [...parameters], null, env)
    await expectRefused(ran, expect.stringMatching(new RegExp(message)))
  }
  other.close()
})

it.concurrent('a program that needs a key says so, and that no service is there', async () => {
  const ESTIA_URL = `http://127.0.0.1:${await freePort()}`
  const DATABASE = join(folder, 'listings.db')
  await expectMisused(run('scripts/example.ts', [], null), 'Set ESTIA_KEY.')
  // It imports the client as a package.
  expect(await run('scripts/build/package.ts', [], null)).toMatchObject({ code: 0 })
  const env = { ESTIA_KEY: 'x', ESTIA_URL, DATABASE, NODE_NO_WARNINGS: '1' }
  await expectRefused(run('scripts/example.ts', [], null, env), NO_ANSWER)
})

it.concurrent('a service that is not there is told by its address', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`
  const listing = run('scripts/keys.ts', ['list', '--url', nowhere])
  await expectRefused(listing, `GET ${nowhere}/admin/keys: ${NO_ANSWER}`)
  const records = join(folder, 'one-store.ndjson')
  await writeFile(records, '{"entity":"stores","data":{"id":1,"name":"S"}}')
  await expectRefused(
    run('scripts/import.ts', [records, '--url', nowhere]),
    'From line 1 on, lines may not be stored; import the file again. ' +
      `POST ${nowhere}/admin/import?errors=all: ${NO_ANSWER}`,
  )
})

describe('npm run keys', () => {
  beforeAll(ready)

  it('makes, lists and revokes', async () => {
    const { key, id } = await makeKey()
    expect((await getApi('/api/stores', key)).status).toBe(200)
    const listed = await script('keys', 'list')
    expect([listed.code, listed.output.includes(id), listed.output.includes(key)]).toEqual([0, true, false])
    const revoked = await script('keys', 'revoke', id)
    expect([revoked.code, revoked.output]).toEqual([0, `Key ${id} is revoked.\n`])
    expect((await script('keys', 'revoke', id)).code).toBe(1)
  })

  it('makes keys for websites', async () => {
    const create = (...options: string[]) =>
      script('keys', 'create', '--name', 'site', '--scope', 'listings:public', ...options)
    const made = await create('--origin', 'https://a.example', '--origin', 'https://b.example')
    expect(made.output).toMatch(/^estia_pub_[0-9a-f]{48}\n\nKey [0-9a-f]{16}\. It is no secret\.\n$/)
    expect((await create('--secret')).output).toMatch(
      /^estia_[0-9a-f]{48}\n\nKey .* shown only this once\.\n$/,
    )
    await expectRefused(create('--store', '99'), 'POST /admin/keys: 400 Unknown stores 99\n')
    const wrong = create('--store', 'one')
    await expectRefused(wrong, 'POST /admin/keys: 400 Invalid stores.0: must be an integer\n')
  })

  it('says how it is used, and what is missing', async () => {
    for (const [parameters, problem] of [
      [['create'], 'A key needs --name and at least one --scope.'],
      [['revoke'], 'Which key? `npm run keys -- list` shows their ids.'],
      [['remove'], 'Unknown command: remove.'],
      [[], 'No command is given.'],
    ] as const)
      await expectMisused(script('keys', ...parameters), problem)
    const noToken = run('scripts/keys.ts', ['list', '--url', url], null)
    await expectMisused(noToken, 'Set ADMIN_TOKEN to the secret of the deployment.')
  })
})

describe('npm run import and npm run export', () => {
  beforeAll(ready)

  const file = (name: string) => join(folder, name)
  const store = (id: number, name: string) =>
    JSON.stringify({
      entity: 'stores',
      data: { id, name, watermark_url: null, phone: null, email: null, address: null, url: null },
    })

  it('carry a file of any length there and back, to the byte', async () => {
    const odd = [
      'Κέντρο',
      'line\u2028and\u2029paragraph',
      'quote " and \\',
      '🏠',
      'next\u0085line',
      ' spaces ',
    ]
    const lines = Array.from({ length: 2500 }, (_, index) => store(index + 1, odd[index % odd.length] ?? ''))
    const text = `${lines.join('\n')}\n`
    await writeFile(file('in.ndjson'), text)
    const imported = await script('import', file('in.ndjson'))
    expect({ ...imported, output: lastLine(imported) }).toEqual({
      code: 0,
      output: '2500 accepted, 0 rejected\n',
      errors: '',
    })
    const exported = await script('export', file('out.ndjson'))
    expect(exported.code).toBe(0)
    expect(lastLine(exported)).toBe(`2500 records in ${file('out.ndjson')}\n`)
    expect(await readFile(file('out.ndjson'), 'utf8')).toBe(text)
  })

  it('leave the last line of a record the last one, also where an earlier one has to be sent again', async () => {
    const user = (name: string, store_id: number | null) =>
      JSON.stringify({ entity: 'users', data: { id: 9100, name, store_id } })
    const lines = [user('First', 9101), store(9101, 'Below'), user('Last', null)]
    await writeFile(file('versions.ndjson'), lines.join('\n'))
    const { code, output } = await script('import', file('versions.ndjson'))
    expect([code, output]).toEqual([0, '3 accepted, 0 rejected\n'])
    await script('export', file('versions-out.ndjson'))
    expect(await readFile(file('versions-out.ndjson'), 'utf8')).toContain(user('Last', null).slice(0, 40))
    expect(await readFile(file('versions-out.ndjson'), 'utf8')).not.toContain('"First"')
  })

  it('refuse alone a line that no request carries, and bytes that are no UTF-8', async () => {
    const broken = Buffer.concat([
      Buffer.from('{"entity":"stores","data":{"id":7003,"name":"'),
      Buffer.from([0xce]),
      Buffer.from('"}}'),
    ])
    const lines = [
      Buffer.from(store(7001, 'Before')),
      Buffer.from(store(7002, 'x'.repeat(9_000_000))),
      broken,
      Buffer.from(store(7004, 'After')),
    ]
    await writeFile(file('long.ndjson'), Buffer.concat(lines.flatMap((line) => [line, Buffer.from('\n')])))
    const { code, output, errors } = await script('import', file('long.ndjson'))
    expect([code, output]).toEqual([1, '2 accepted, 2 rejected\n'])
    expect(errors).toBe(
      'line 2: ? : Line too long: at most 8000000 bytes are accepted\nline 3: ? : Invalid JSON\n',
    )
  })

  it('merge, or replace where they are told to, and name unknown keys', async () => {
    const line = (data: object) => JSON.stringify({ entity: 'users', data })
    await writeFile(file('user.ndjson'), line({ id: 8000, name: 'A', email: 'a@example.com', age: 5 }))
    const first = await script('import', file('user.ndjson'))
    expect([first.code, first.errors]).toEqual([0, 'line 1: unknown and ignored: age\n'])
    await writeFile(file('user.ndjson'), line({ id: 8000, name: 'B' }))
    const exported = async () => {
      await script('export', file('users.ndjson'), '--force')
      const text = await readFile(file('users.ndjson'), 'utf8')
      return JSON.parse(text.split('\n').find((entry) => entry.includes('"id":8000')) ?? 'null').data
    }
    await script('import', file('user.ndjson'))
    const user = { id: 8000, name: 'B', store_id: null, phone: null, is_active: true }
    expect(await exported()).toEqual({ ...user, email: 'a@example.com' })
    await script('import', file('user.ndjson'), '--replace')
    expect(await exported()).toEqual({ ...user, email: null })
  })

  it('try again when the service fails for a while', async () => {
    let calls = 0
    const flaky = await listen((incoming, answer) => {
      incoming.resume()
      incoming.on('end', () => {
        if (++calls < 3) return answer.writeHead(503).end()
        const data = { accepted: 1, rejected: 0, errors: [], warnings: [], ignored: [] }
        return answer.end(JSON.stringify({ data }))
      })
    })
    await writeFile(file('one.ndjson'), store(1, 'S'))
    const { code, output } = await run('scripts/import.ts', [file('one.ndjson'), '--url', flaky])
    expect([code, output, calls]).toEqual([0, '1 accepted, 0 rejected\n', 3])
  })

  it('say what is wrong with the call', async () => {
    expect((await script('import')).code).toBe(2)
    expect((await script('export')).code).toBe(2)
    const missing = file('nowhere.ndjson')
    await expectRefused(script('import', missing), `${missing}: there is no such file or folder.\n`)
    await expectRefused(script('import', folder), 'The file: it is a folder.\n')
    const nowhere = join(folder, 'nowhere', 'out.ndjson')
    const refused = script('export', nowhere)
    await expectRefused(refused, `${nowhere}.partial: there is no such file or folder.\n`)
  })

  it.each([
    ['CSV', 'id;name\n1;Center\n2;Kifisia\n'],
    ['a JSON array', `[${store(1, 'S')},\n${store(2, 'S')}]`],
    ['JSON over several lines', JSON.stringify({ entity: 'stores', data: { id: 1 } }, null, 2)],
    ['one broken line', '{"entity":'],
    ['a picture', '\u0089PNG\r\n\u001a\n'],
  ])('name the format before anything is sent: %s', async (_, text) => {
    await writeFile(file('other.ndjson'), text)
    const nowhere = ['--url', 'http://127.0.0.1:9']
    const { code, output, errors } = await run('scripts/import.ts', [file('other.ndjson'), ...nowhere])
    expect([code, output]).toEqual([1, ''])
    expect(errors).toContain(`${file('other.ndjson')} is not in the import format; nothing is stored.`)
    expect(errors).toContain('{"entity":"stores","data":{"id":1,"name":"Center"}}')
  })

  it.each([
    ['a byte order mark', `\ufeff${store(4, 'S')}\n`],
    ['blank lines', `${'\n'.repeat(2000)} ${store(4, 'S')}\n`],
  ])('take a file that begins with %s', async (_, text) => {
    await writeFile(file('begins.ndjson'), text)
    expect(await script('import', file('begins.ndjson'))).toMatchObject({ code: 0, errors: '' })
  })
})

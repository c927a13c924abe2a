import { once } from 'node:events'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { passOutput, showMails } from '../../scripts/start/output.ts'
import { localConfig, readAdminToken } from '../../scripts/start/prepare.ts'
import { temporaryFolder } from './temporary.ts'

const folder = temporaryFolder()
const FAILURE =
  '\u001b[31m✘ [ERROR]\u001b[0m \u001b[1me = kj/async-io-unix.c++:1293: failed: DNS lookup failed.; params.host = x\u001b[0m'
const STACK = '  stack: /node_modules/workerd@553261e /node_modules/workerd@5533110; wdErrId = kivtfh9mp9i363'

it.each([
  ['a failure of the runtime', ['a', FAILURE, '', STACK, '', '', 'b'], ['a', 'b']],
  ['two of them', [FAILURE, '', STACK, '', FAILURE, '', STACK, '', 'b'], ['b']],
  ['a warning', ['▲ [WARNING] Not triggered', '', '  To trigger it:', '    curl', '', '', 'b'], ['b']],
  ['an error of wrangler', ['✘ [ERROR] Build failed', '', '  src/index.ts:1', ''], null],
  ['an error of the service', ['TypeError: x', '    at file.ts:1', '', 'stack: of dishes'], null],
])('passOutput: %s', async (_, printed, passed) => {
  expect(await passedOn(passOutput, printed)).toEqual(passed ?? printed)
})

/** What comes out where these lines go in. */
async function passedOn(pass: typeof passOutput, printed: string[]): Promise<string[]> {
  const [from, to] = [new PassThrough(), new PassThrough()]
  pass(from, to)
  from.end(printed.map((line) => `${line}\n`).join(''))
  await once(from, 'close')
  to.end()
  return (await to.setEncoding('utf8').toArray()).join('').split('\n').slice(0, -1)
}

describe('showMails', () => {
  const mail = (file: string) => [
    '{"level":"info","path":"/api/enquiries"}',
    'Subject: of another line',
    '\u001b[34msend_email binding called with MessageBuilder:\u001b[39m',
    'From: estia@localhost',
    'To: office@agency.example',
    'Subject: Νέα επικοινωνία',
    '',
    `Text: ${file}`,
    '[wrangler:info] POST /api/enquiries 200 OK',
  ]

  it('shows whom, what about, and how the text begins, and nothing else', async () => {
    const file = join(folder, 'mail.txt')
    await writeFile(file, `Γεια\u001b[2J\n${'x\n'.repeat(13)}y\nz`)
    const headers = [
      '',
      'A mail, which is not sent:',
      '  To: office@agency.example',
      '  Subject: Νέα επικοινωνία',
    ]
    const text = ['  | Γεια', ...Array(13).fill('  | x'), '  | …']
    expect(await passedOn(showMails, mail(file))).toEqual([...headers, ...text, `  ${file}`, ''])
    expect(await passedOn(showMails, mail(join(folder, 'none')))).toEqual([
      ...headers,
      `  ${folder}/none`,
      '',
    ])
  })
})

describe('localConfig', () => {
  it('sends mails and keeps backups, without a word of that in the configuration of the deployment', async () => {
    const text = await readFile('wrangler.toml', 'utf8')
    expect(text).not.toMatch(/^\[\[send_email\]\]/m)
    const local = localConfig(text)
    expect(local).toContain('\nMAIL_FROM = "estia@localhost"\n')
    expect(local).toMatch(
      /\n\n\[\[send_email\]\]\nname = "MAIL"\n\n\[\[r2_buckets\]\]\nbinding = "BACKUPS"\nbucket_name = "estia-backups"\n$/,
    )
    expect(local.replace('"estia@localhost"', '""').startsWith(text)).toBe(true)
  })

  it('keeps what the deployment has', () => {
    const own =
      'MAIL_FROM = "a@agency.example"\n[[send_email]]\nname = "MAIL"\n[[r2_buckets]]\nbinding = "BACKUPS"\n'
    expect(localConfig(own)).toBe(own)
  })
})

describe('readAdminToken', () => {
  it.each([
    ['no file', null, /^ADMIN_TOKEN="[0-9a-f]{48}"\n$/],
    ['the public token', 'A="1"\nADMIN_TOKEN="local-admin-token"\n', /^A="1"\nADMIN_TOKEN="[0-9a-f]{48}"\n$/],
    ['an empty token', 'ADMIN_TOKEN=""\n', /^ADMIN_TOKEN="[0-9a-f]{48}"\n$/],
    ['other settings', 'A="1"\n', /^ADMIN_TOKEN="[0-9a-f]{48}"\nA="1"\n$/],
    ['a token', 'ADMIN_TOKEN = own token\n', /^ADMIN_TOKEN = own token\n$/, 'own token'],
    ['quotes and a comment', "export ADMIN_TOKEN='own' # mine\n", /^export/, 'own'],
    ['line ends of Windows', 'A="1"\r\nADMIN_TOKEN=own\r\n', /own\r\n$/, 'own'],
    [
      'the public token twice, with line ends of Windows',
      "ADMIN_TOKEN='local-admin-token'\r\nADMIN_TOKEN=local-admin-token\r\nA=1\r\n",
      /^(ADMIN_TOKEN="[0-9a-f]{48}"\r?\n){2}A=1\r\n$/,
    ],
  ])('with %s', async (_, text, expected, own = expect.stringMatching(/^[0-9a-f]{48}$/)) => {
    const file = join(folder, '.dev.vars')
    if (text !== null) await writeFile(file, text)
    const token = readAdminToken(file)
    const stored = await readFile(file, 'utf8')
    expect(stored).toMatch(expected)
    expect(stored).toContain(token)
    expect(token).toEqual(own)
    expect(readAdminToken(file)).toBe(token)
    await rm(file)
  })
})

/**
 * Every code block of README and the guides, as it stands there: commands run, answers are compared, types hold.
 *
 * @module-tag slow
 */
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { unstable_readConfig } from 'wrangler'
import { ADMIN_TOKEN, type AgencyService, KEY, startAgency } from '../../tools/runtime/agency.ts'
import { type Block, readGuides, unsetVariables } from './guides/blocks.ts'
import { difference, isLike } from './guides/compare.ts'
import { NOT_COMPARED, NOT_RUN } from './guides/left-out.ts'
import { AGAIN, BEFORE, DESCRIBED, FILES, ON_EMPTY } from './guides/reader.ts'
import { type Call, type Ran, runBlocks } from './guides/shell.ts'
import { temporaryFolder } from './temporary.ts'

const guides = readGuides()
const blocks = [...guides.values()].flat()
const isCommand = ({ language }: Block) => language === 'sh'
const isRun = ({ name }: Block) => !(name in NOT_RUN)

/** The order in which a reader takes them: what one makes, the next ones use. */
const ORDER = [
  'docs/first-call.md',
  ...[...guides.keys()].filter((file) => !/first-call|webhooks|keeping-a-copy|bringing-your-data/.test(file)),
  'docs/webhooks.md',
  'docs/keeping-a-copy.md',
  // Its ids are above those that the others show.
  'docs/bringing-your-data.md',
]

const folder = temporaryFolder()
let service: AgencyService
const ran = new Map<string, Ran>()

beforeAll(async () => {
  service = await startAgency(null, undefined, () => new Response('Not well', { status: 500 }))
  await putWatermark()
  // As it has run on any service that is read about.
  const worker = await service.miniflare.getWorker()
  for (const cron of ['* * * * *', '17 3 * * *']) await worker.scheduled({ cron })
  for (const file of ORDER) await runGuide(file)
  for (const name of ON_EMPTY) await runOnEmpty(name)
}, 300_000)

afterAll(() => service?.stop())

/** A folder where the commands of a guide find the repository and the files that they name. */
async function makeCheckout(checkout: string): Promise<string> {
  await mkdir(checkout)
  for (const name of await readdir('.')) await symlink(resolve(name), join(checkout, name))
  for (const [name, make] of Object.entries(FILES)) await writeFile(join(checkout, name), await make())
  const lines = blockNamed('docs/transfer.md, Import and export, json 1').text
  await writeFile(join(checkout, 'rejected.ndjson'), lines)
  // Its last line is there to be refused.
  await writeFile(join(checkout, 'agency.ndjson'), lines.trim().split('\n').slice(0, -1).join('\n'))
  return checkout
}

/** The offices of the demo agency have one. */
async function putWatermark(): Promise<void> {
  const headers = { Authorization: `Bearer ${ADMIN_TOKEN}` }
  const address = new URL('/admin/stores/1/watermark', service.url)
  await fetch(address, { method: 'PUT', headers, body: await FILES['logo.png']() })
}

function blockNamed(name: string): Block {
  const block = blocks.find((one) => one.name === name)
  if (!block) throw new Error(`There is no block ${name}`)
  return block
}

/** The address that scripts take by default is another service's here. */
function withAddress(text: string, { origin }: URL): string {
  if (text.includes('--url')) return text
  return text.replace(/^npm run (import|export|keys|trail) --/gm, `$& --url ${origin}`)
}

/** Puts what a reader has in the place of what a guide can only stand for. */
function filledIn(text: string, url: URL = service.url): string {
  return (
    withAddress(text, url)
      .replaceAll('http://localhost:8787', url.origin)
      .replaceAll('https://estia.example.workers.dev', url.origin)
      .replace(/\bestia_…/g, KEY)
      .replaceAll('admin_…', ADMIN_TOKEN)
      .replace('revoke ID', 'revoke $ID')
      // What `BEFORE` has set.
      .replace(/^ID=….*\n/m, '')
      .replace(/ADMIN_TOKEN=…/g, `ADMIN_TOKEN=${ADMIN_TOKEN}`)
  )
}

async function runGuide(file: string): Promise<void> {
  const records = join(folder, file.replace(/\W/g, '-'))
  const steps = (guides.get(file) ?? []).flatMap((block) => {
    if (block.name in DESCRIBED) return [{ name: block.name, text: DESCRIBED[block.name] ?? '' }]
    if (!isCommand(block) || !isRun(block) || ON_EMPTY.has(block.name)) return []
    const before = BEFORE[block.name]
    return [
      ...(before ? [{ name: `before ${block.name}`, text: before }] : []),
      ...Array(AGAIN.has(block.name) ? 2 : 1).fill(block),
    ]
  })
  const results = await runBlocks(
    await makeCheckout(join(folder, `${file.replace(/\W/g, '-')}-checkout`)),
    records,
    steps.map(({ text }) => ({ text: filledIn(text) })),
  )
  for (const [index, { name }] of steps.entries()) {
    const result = results[index]
    if (result) ran.set(name, result)
  }
}

/** Runs a block on a service without data, after those before it in its section. */
async function runOnEmpty(name: string): Promise<void> {
  const section = name.replace(/sh \d+$/, 'sh ')
  const until = blocks.slice(0, blocks.indexOf(blockNamed(name)) + 1)
  const steps = until.filter((block) => block.name.startsWith(section))
  const empty = await startAgency(null, 0)
  try {
    const results = await runBlocks(
      await makeCheckout(join(folder, 'empty-checkout')),
      join(folder, 'empty'),
      steps.map(({ text }) => ({ text: filledIn(text, empty.url) })),
    )
    const last = results.at(-1)
    if (last) ran.set(name, last)
  } finally {
    await empty.stop()
  }
}

/** What a guide prints between a block of commands and the next. */
function answersOf(block: Block): Block[] {
  const all = guides.get(block.file) ?? []
  const rest = all.slice(all.indexOf(block) + 1)
  const end = rest.findIndex(isCommand)
  return (end < 0 ? rest : rest.slice(0, end)).filter(
    ({ name, language }) =>
      ['json', 'http', 'text'].includes(language) && !(name in NOT_COMPARED) && !(name in DESCRIBED),
  )
}

/** The first difference to what came, null for none. */
function differenceOf({ language, text }: Block, { calls, output }: Ran): string | null {
  const printed = filledIn(text)
  if (language === 'text')
    return (
      printed
        .split('\n')
        .find((line) => !output.split('\n').some((one) => withoutCounts(one) === withoutCounts(line))) ?? null
    )
  const differences = calls.map((call) =>
    language === 'json' ? differenceOfJson(printed, call) : differenceOfHead(printed, call),
  )
  if (differences.length === 0) return 'nothing came'
  return differences.includes(null) ? null : (differences[0] ?? null)
}

/** How many records there are depends on what the guides before have made, and entries of the trail on who runs them, and when. */
const withoutCounts = (line: string) =>
  line.replace(/^\d+ records/, 'n records').replace(/^\d{4}-\d\d-\d\d \d\d:\d\d · [^·]+/, 'date · name ')

function differenceOfJson(printed: string, { body }: Call): string | null {
  try {
    return difference(JSON.parse(printed), JSON.parse(body))
  } catch {
    return `came: ${body.slice(0, 500)}`
  }
}

function differenceOfHead(printed: string, { status, headers }: Call): string | null {
  const [first = '', ...lines] = printed.trim().split('\n')
  if (!first.startsWith(`HTTP/1.1 ${status} `)) return `printed ${first}, came ${status}`
  for (const line of lines) {
    const [name = '', ...rest] = line.split(': ')
    const came = headers.get(name.toLowerCase())
    const value = rest.join(': ')
    const isTag = /^"\d+-[0-9a-f]{12}"$/
    if (came === undefined || !(isLike(value, came) || (isTag.test(value) && isTag.test(came))))
      return `printed ${line}, came ${came}`
  }
  return null
}

/** Statuses of errors that a guide shows on purpose. */
function statusesIn(answers: Block[]): number[] {
  return answers.map(({ text }) =>
    Number(/"status": (\d+)|^HTTP\/1\.1 (\d+)/.exec(text)?.slice(1).find(Boolean)),
  )
}

const named = (some: Block[]) => some.map((block) => [block.name, block] as const)

describe('commands', () => {
  it.each(named(blocks.filter((block) => isCommand(block) && isRun(block))))('%s', (_, block) => {
    const result = ran.get(block.name)
    const answers = answersOf(block)
    const { calls = [], failed = [], output = '' } = result ?? {}
    expect(result, 'was run').toBeDefined()
    if (!answers.some(({ language }) => language === 'text')) expect(failed, output).toEqual([])
    const shown = statusesIn(answers)
    const unexpected = calls.filter(({ status }) => !(status < 400 || shown.includes(status)))
    expect(unexpected.map(({ status, body }) => `${status} ${body}`)).toEqual([])
    for (const answer of answers)
      expect([answer.name, differenceOf(answer, result ?? { calls, failed, output })]).toEqual([
        answer.name,
        null,
      ])
  })
})

it('every guide sets the variables that it uses', () => {
  const unset = [...guides.values()].flatMap((some) => unsetVariables(some.filter(isCommand)))
  expect(unset).toEqual([])
})

describe('answers that are described in words', () => {
  it.each(Object.keys(DESCRIBED))('%s', (name) => {
    const { calls = [], failed = ['was not run'], output = '' } = ran.get(name) ?? {}
    expect(failed, output).toEqual([])
    expect(differenceOf(blockNamed(name), { calls, failed, output })).toBeNull()
  })
})

describe('what is left out', () => {
  it('is there, and every other block is held', () => {
    const names = new Set(blocks.map(({ name }) => name))
    const mentioned = [NOT_RUN, NOT_COMPARED, DESCRIBED, BEFORE].flatMap((list) => Object.keys(list))
    expect([...mentioned, ...AGAIN, ...ON_EMPTY].filter((name) => !names.has(name))).toEqual([])
    const answers = new Set(blocks.filter(isCommand).filter(isRun).flatMap(answersOf))
    const held = blocks.filter(
      (block) =>
        ['sh', 'ts'].includes(block.language) ||
        answers.has(block) ||
        block.name in DESCRIBED ||
        block.name in NOT_COMPARED,
    )
    expect(blocks.filter((block) => !held.includes(block)).map(({ name }) => name)).toEqual([])
  })
})

/** What wrangler makes of the settings of a guide, by the name of the block. */
const SETTINGS: Record<string, object> = {
  'docs/backups.md, Switching them on, toml 1': {
    r2_buckets: [{ binding: 'BACKUPS', bucket_name: 'estia-backups', jurisdiction: 'eu' }],
  },
  'docs/near-your-users.md, Smart Placement, toml 1': { placement: { mode: 'smart' } },
  'docs/deployment.md, A domain, toml 1': {
    routes: [{ pattern: 'api.agency.example', custom_domain: true }],
    workers_dev: false,
  },
  'docs/deployment.md, Mails, toml 1': { send_email: [{ name: 'MAIL' }] },
  'docs/picture-domain.md, Setting it up, toml 1': {
    vars: { PICTURES_BASE_URL: 'https://pictures.agency.example' },
  },
  'docs/deployment.md, A domain, toml 2': { vars: { PUBLIC_BASE_URL: 'https://api.agency.example' } },
}

describe('settings', () => {
  it.each(named(blocks.filter(({ language }) => language === 'toml')))(
    '%s is what wrangler knows',
    async (name, { text }) => {
      const file = join(folder, 'wrangler.toml')
      await writeFile(file, `name = "estia"\n${text}`)
      expect(unstable_readConfig({ config: file })).toMatchObject(SETTINGS[name] ?? { none: name })
    },
  )
})

/**
 * How fast changes reach one subscriber on this machine: `npm run bench:webhooks`. A feed of many changes is delivered by
 * runs of cron to a server that answers at once, and writes are made with and without a subscriber.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { readCommandLine, readNumber } from '../scripts/service/terminal.ts'
import { ADMIN_TOKEN, KEY, startAgency } from './runtime/agency.ts'
import { writeWithoutDelivery } from './runtime/undelivered.ts'

const USAGE = `Measures how fast changes reach a subscriber on this machine.

Usage: npm run bench:webhooks [-- OPTIONS]

  --changes NUMBER  how many are delivered (default: 10000)
  --writes NUMBER   how many are made with and without a subscriber (default: 500)
  --help            shows this`

const { values: options } = readCommandLine(USAGE, {
  changes: { type: 'string', default: '10000' },
  writes: { type: 'string', default: '500' },
})
const [CHANGES, WRITES] = [readNumber('changes', options.changes), readNumber('writes', options.writes)]

let receivedAt = 0
let batches = 0
const receiver = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const { data } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { data: unknown[] }
  receivedAt += data.length
  batches++
  response.writeHead(204).end()
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const hooks = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
const service = await startAgency('tools/faults/worker.ts', { contacts: 3, listings: 3 }, 'network')
try {
  await subscribe(1)
  await writeWithoutDelivery(service, CHANGES)
  const seconds = await timed(async () => {
    while (receivedAt < CHANGES) await (await fetch(new URL('/faults/deliver?seconds=0', service.url))).text()
  })
  console.log(
    `${receivedAt} changes in ${batches} batches: ${Math.round(receivedAt / seconds)} changes a second`,
  )

  await measureWrites(WRITES, 'to a subscriber')
  await call('DELETE', '/admin/webhooks/1', ADMIN_TOKEN)
  await measureWrites(WRITES, 'to nobody')
} finally {
  await service.stop()
  receiver.close()
}

async function measureWrites(count: number, towards: string): Promise<void> {
  const seconds = await timed(async () => {
    for (let index = 0; index < count; index++) {
      await call('POST', '/api/contacts', KEY, { first_name: `Anna ${index}`, created_by: 1 })
    }
  })
  console.log(`${count} writes, one after the other, ${towards}: ${Math.round(count / seconds)} a second`)
}

async function subscribe(id: number): Promise<void> {
  const { data } = await call('POST', '/admin/webhooks', ADMIN_TOKEN, { url: hooks })
  if (data?.id !== id) throw new Error(`The webhook is not ${id}`)
}

async function call(method: string, path: string, token: string, body?: unknown) {
  const answer = await fetch(new URL(path, service.url), {
    method,
    headers: { Authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`)
  return (await answer.json()) as { data?: { id?: number } }
}

/** How many seconds it takes. */
async function timed(work: () => Promise<void>): Promise<number> {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

/** A receiver of webhooks as somebody else would write it: a real server, an independent library, and bad days. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import type { ChangeEntry } from '../../src/resources/changes/queries.ts'

/** What it does with a delivery. */
export type Mood =
  /** All is well. */
  | 'well'
  | 'fails'
  | 'gone'
  | 'redirects'
  /** Never answers. */
  | 'hangs'
  /** Says 200, and never ends. */
  | 'hangs in the body'
  /** Says 200, and sends a gigabyte as slowly as it is taken. */
  | 'says a gigabyte'
  /** Stores what came, and dies before it can say so. */
  | 'dies'

export interface Received {
  id: string
  entries: ChangeEntry[]
  mood: Mood
}

/** The status that the sender got of each mood, null for none. */
const STATUS: Record<Mood, number | null> = {
  well: 204,
  fails: 500,
  gone: 410,
  redirects: 307,
  hangs: null,
  'hangs in the body': 200,
  'says a gigabyte': 200,
  dies: null,
}

export class Receiver {
  mood: Mood = 'well'
  secret = ''
  /** Deliveries with a good signature, in order. */
  readonly received: Received[] = []
  /** Those with a bad one. */
  forged = 0
  /** Bytes of the gigabyte that were taken. */
  taken = 0
  /** Requests at the place that redirects lead to. */
  strayed = 0
  #server = this.#make()
  #port = 0

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (this.#server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hooks`
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve))
    this.#server.closeAllConnections()
    await closed
    this.#server = this.#make()
  }

  /** The newest entry of each record, of what it has stored, and acknowledged or not. */
  mirror(): Map<string, ChangeEntry> {
    return new Map(this.received.flatMap(({ entries }) => entries.map((entry) => [nameOf(entry), entry])))
  }

  /** Batches in the order of their first arrival. */
  batches(): Map<string, Received[]> {
    const batches = new Map<string, Received[]>()
    for (const one of this.received) batches.set(one.id, [...(batches.get(one.id) ?? []), one])
    return batches
  }

  #make() {
    // A service that is killed breaks off in the middle of a request.
    return createServer((request, response) => {
      this.#take(request, response).catch(() => response.destroy())
    })
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url !== '/hooks') {
      this.strayed++
      return void response.end()
    }
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { mood } = this
    const entries = this.#verify(Buffer.concat(chunks).toString('utf8'), request)
    if (entries) this.received.push({ id: String(request.headers['webhook-id']), entries, mood })
    if (mood === 'dies') return void response.destroy()
    const status = STATUS[mood]
    if (status === null) return
    response.writeHead(status, mood === 'redirects' ? { Location: '/elsewhere' } : {})
    if (mood === 'hangs in the body') response.write('so')
    else if (mood === 'says a gigabyte') this.#sayMuch(response)
    else response.end()
  }

  #verify(body: string, { headers }: IncomingMessage): ChangeEntry[] | null {
    try {
      const { data } = new Webhook(this.secret).verify(body, headers as Record<string, string>) as {
        data: ChangeEntry[]
      }
      return data
    } catch {
      this.forged++
      return null
    }
  }

  #sayMuch(response: ServerResponse): void {
    const piece = Buffer.alloc(64 * 1024)
    const more = () => {
      if (response.destroyed || this.taken > 2 ** 30) return
      this.taken += piece.length
      response.write(piece, () => setImmediate(more))
    }
    more()
  }
}

export function nameOf({ resource, id }: Pick<ChangeEntry, 'resource' | 'id'>): string {
  return `${resource}/${id}`
}

/** Receivers of webhooks inside workerd: mocks `fetch` and the time. */
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import type { Pace } from '../../../src/admin/webhooks/send.ts'
import type { ChangeEntry } from '../../../src/resources/changes/queries.ts'
import { post } from '../../support/api.ts'
import { execute, selectFirst } from '../../support/database.ts'

export const URL_OF_RECEIVER = 'https://receiver.example/hooks'

/** A received delivery. */
export interface Delivery {
  url: string
  headers: Record<string, string>
  text: string
  body: { type: string; timestamp: string; data: ChangeEntry[] }
}

type Answering = (delivery: Delivery, index: number) => Response | Promise<Response>

/** Answers every `fetch`. Returns the list of deliveries, which grows as they arrive. */
export function receive(answer: Answering = () => new Response('ok')): Delivery[] {
  const deliveries: Delivery[] = []
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const request = new Request(input as string, init as RequestInit)
    const text = await request.text()
    const headers = Object.fromEntries(request.headers)
    const delivery = { url: request.url, headers, text, body: JSON.parse(text) }
    deliveries.push(delivery)
    return answer(delivery, deliveries.length - 1)
  })
  return deliveries
}

/** Simulated timing: waiting advances the time at once. */
export class Time implements Pace {
  replyTimeout = 200
  /** The waiting times so far, in milliseconds. */
  readonly waits: number[] = []
  #now: number

  constructor(now = Date.now()) {
    this.#now = now
  }

  now = () => this.#now

  wait = async (milliseconds: number) => {
    this.waits.push(milliseconds)
    this.#now += milliseconds
  }

  pass(milliseconds: number): void {
    this.#now += milliseconds
  }
}

/** Subscribes and returns the data of the reply. */
export async function subscribe(wanted: Record<string, unknown> = {}) {
  const { body } = await post('/admin/webhooks', { url: URL_OF_RECEIVER, ...wanted })
  return body.data as { id: number; secret: string; cursor: string }
}

/** Stores a contact directly in the database, so that no delivery follows. Returns its id. */
export async function writeContact(): Promise<number> {
  const row = await selectFirst<{ id: number }>(
    `insert into contacts (first_name, created_by, date_created, date_updated)
    values ('Anna', 1, datetime('now'), datetime('now')) returning id`,
  )
  return row?.id ?? 0
}

/** Changes a contact in the same way. */
export async function changeContact(id: number): Promise<void> {
  await execute('update contacts set version = version + 1 where id = ?', id)
}

/** The entries of all deliveries, in order. */
export function entriesOf(deliveries: Delivery[]): ChangeEntry[] {
  return deliveries.flatMap(({ body }) => body.data)
}

/** The stored subscription. */
export async function storedWebhook(id: number): Promise<Record<string, unknown>> {
  const row = await selectFirst('select * from webhooks where id = ?', id)
  if (!row) throw new Error(`There is no webhook ${id}`)
  return row
}

export async function forgetWebhooks(): Promise<void> {
  await env.DB.batch(
    ['delete from webhook_attempts', 'delete from webhooks'].map((text) => env.DB.prepare(text)),
  )
}

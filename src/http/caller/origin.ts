/**
 * Where a write comes from: who calls, and by which call. It travels in the bindings of the call to every database that is
 * made of them (`db/client.ts`), so that no writer passes it on, and none can forget it.
 */
import type { Context } from 'hono'
import type { App } from '../context.ts'
import type { Endpoint } from '../endpoint/contract.ts'
import { connectionSite } from './rate-limits.ts'

/** The kinds of callers. A visitor calls with a publishable key. */
export const ACTOR_TYPES = ['key', 'token', 'person', 'cron', 'visitor'] as const

/** Who writes. */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number]
  /** Of a key, or of a person: that of the user, or else a hash of the address (`personIdOf`). Null for others. */
  id: string | null
}

/** Where a write comes from. */
export interface Origin {
  actor: Actor
  /** The network of the client: a /24 or /48. Null in work of cron, as are the next three. */
  address: string | null
  method: string | null
  /** The path as the contract has it: `/api/listings/{id}`. */
  route: string | null
  request_id: string | null
  /** The call itself, if it is to be entered whatever it writes. */
  call?: EnteredCall
}

/** A call that is an entry of its own: what it was about, and whether it is entered yet. */
export interface EnteredCall {
  resource: string
  /** Null where the call names none, until `nameEntered`. */
  record_id: string | null
  /** The table to which the call adds a row, whose id the entry is to name. */
  table?: string
  isEntered: boolean
}

/** Says what a call has made that administers: the id of it, or the table to which it adds a row. */
export function nameEntered({ ORIGIN }: Env, made: Partial<Pick<EnteredCall, 'record_id' | 'table'>>): void {
  Object.assign(ORIGIN?.call ?? {}, made)
}

/** Work of cron. */
export const CRON: Origin = {
  actor: { type: 'cron', id: null },
  address: null,
  method: null,
  route: null,
  request_id: null,
}

/** Notes in the bindings of a call where its writes come from. */
export function enterOrigin(c: Context<App>, endpoint: Pick<Endpoint, 'audience' | 'path'>): void {
  const origin = originOf(c, endpoint)
  if (endpoint.audience !== 'admin') c.env = { ...c.env, ORIGIN: origin }
  else {
    const [, , resource = ''] = endpoint.path.split('/')
    const call = { resource, record_id: Object.values(c.req.param()).at(-1) ?? null, isEntered: false }
    c.env = { ...c.env, ORIGIN: { ...origin, call } }
  }
}

/** Where a call comes from, once its caller is known. */
export function originOf(c: Context<App>, { path }: Pick<Endpoint, 'path'>): Origin {
  return {
    actor: actorOf(c),
    // Not of the visitor whom a server names: the holder of its key could name anybody.
    address: connectionSite(c) || null,
    method: c.req.method,
    route: path,
    request_id: c.get('requestId'),
  }
}

function actorOf(c: Context<App>): Actor {
  const [key, person] = [c.get('key'), c.get('person')]
  if (!key) return { type: 'token', id: null }
  if (person) return { type: 'person', id: person.id === null ? key.id : String(person.id) }
  return { type: key.website?.publishable ? 'visitor' : 'key', id: key.id }
}

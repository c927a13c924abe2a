/**
 * Where a write comes from: who calls, and by which call. It travels in the bindings of the call to every database that is
 * made of them (`db/client.ts`), so that no writer passes it on, and none can forget it.
 */
import type { Context } from 'hono'
import type { App } from '../context.ts'
import { connectionSite } from '../networks.ts'

/** The kinds of callers. A visitor calls with a publishable key. */
export const ACTOR_TYPES = ['key', 'token', 'person', 'cron', 'visitor'] as const

/** Who writes. */
export interface Actor {
  type: (typeof ACTOR_TYPES)[number]
  /** Of a key, or of a person (`personIdOf`): nothing that callers can write decides it. Null for others. */
  id: string | null
}

/** Where a write comes from. */
export interface Provenance {
  actor: Actor
  /** What the caller may do; absent for the holder of `ADMIN_TOKEN`, and in work of cron. */
  scopes?: readonly string[]
  /** The name of the key, or the e-mail address of the person. */
  name?: string
  /** The user behind the caller, if one is. */
  user_id?: number | null
  /** The network of the client: a /24 or /48. Null in work of cron, as are the next three. */
  address: string | null
  method: string | null
  /** The path as the contract has it: `/api/listings/{id}`. */
  route: string | null
  request_id: string | null
  /** Whether the call is refused while the service is being restored (`db/restoring.ts`). */
  waitsForRestore?: boolean
  /** The call itself, if it is an entry of its own. */
  call?: EnteredCall
}

/** A call that was entered before it acted. */
export interface EnteredCall {
  /** Of its entry. */
  id: number
  /** What it is about; null where it names nothing, until it has made it. */
  record_id: string | null
  /** Whether it is known to change nothing. Then its entry goes. */
  isTrial?: boolean
}

/** Says more of a call that administers: the id of what it has made, or that it is only tried out. */
export function describeEntered({ PROVENANCE }: Env, more: Partial<Omit<EnteredCall, 'id'>>): void {
  Object.assign(PROVENANCE?.call ?? {}, more)
}

/** Work of cron. */
export const CRON: Provenance = {
  actor: { type: 'cron', id: null },
  address: null,
  method: null,
  route: null,
  request_id: null,
}

/**
 * Notes in the bindings of a call where its writes come from.
 * @param waits whether the call waits while the service is being restored
 */
export function enterProvenance(c: Context<App>, path: string, waits: (isToken: boolean) => boolean): void {
  const provenance = provenanceOf(c, { path })
  c.env = {
    ...c.env,
    PROVENANCE: { ...provenance, waitsForRestore: waits(provenance.actor.type === 'token') },
  }
}

/** Where a call comes from, once its caller is known. */
export function provenanceOf(c: Context<App>, { path }: { path: string }): Provenance {
  const key = c.get('key')
  return {
    actor: actorOf(c),
    ...(key ? { scopes: key.scopes, name: key.name, user_id: key.user_id ?? null } : {}),
    // Not of the visitor whom a server names: the holder of its key could name anybody.
    address: connectionSite(c) || null,
    method: c.req.method,
    route: path,
    request_id: c.get('requestId'),
  }
}

function actorOf(c: Context<App>): Actor {
  const key = c.get('key')
  if (!key) return { type: 'token', id: null }
  if (c.get('isPerson')) return { type: 'person', id: key.id }
  return { type: key.website?.publishable ? 'visitor' : 'key', id: key.id }
}

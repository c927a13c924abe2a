/** The input of a handler for one call. */
import type { Context } from 'hono'
import type { z } from 'zod'
import { hasScope } from '../caller/auth.ts'
import { type RecordRef, resourceInPath, type WriteContext } from '../concurrency/entity-tags.ts'
import type { App, IdempotentCall } from '../context.ts'
import type { Draft } from '../request/check.ts'
import { checkFilters } from '../request/read-filters.ts'
import type { RequestBody } from '../request/upload.ts'
import type { Contract, Input } from './contract.ts'

/** The parts of a call that are read before the handler runs. */
interface ReceivedCall {
  headers: Record<string, unknown>
  /** Throws 404. */
  params: () => Record<string, unknown>
  sent: Record<string, unknown>
  body: RequestBody
  /** Set if the call sent an idempotency key. */
  once: IdempotentCall | undefined
}

/** The methods are arrow functions, because handlers destructure the input. */
export class CallInput<
  F extends z.ZodObject,
  B extends z.ZodObject,
  P extends z.ZodObject,
  H extends z.ZodObject,
> implements Input<F, B, P, H>
{
  readonly headers: z.output<H>
  readonly params: () => z.output<P>
  readonly call: WriteContext
  /** The value of the filter `fields`, once the handler has read the filters. */
  fields: unknown
  private readonly c: Context<App>
  private readonly path: string
  private readonly contract: Contract<F, B, P, H>
  private readonly received: ReceivedCall

  constructor(c: Context<App>, path: string, contract: Contract<F, B, P, H>, received: ReceivedCall) {
    this.headers = received.headers as z.output<H>
    this.params = received.params as () => z.output<P>
    this.call = {
      reportVersion: (recordVersion) => c.set('recordVersion', recordVersion),
      idempotentCall: received.once,
    }
    this.c = c
    this.path = path
    this.contract = contract
    this.received = received
  }

  readonly id = (): number => {
    if (!this.contract.resource) throw this.missing('resource')
    return Number(this.received.params().id)
  }

  readonly record = (): RecordRef => {
    const resource = resourceInPath(this.path)
    const key = this.c.get('key')
    const [segment = ''] = resource.split('/')
    return {
      ...this.call,
      name: this.contract.resource ?? '',
      resource,
      id: this.id(),
      isUnreadable: key && !hasScope(key, { resource: segment, access: 'read' }),
      ifMatch: this.received.headers['If-Match'] as RecordRef['ifMatch'],
    }
  }

  readonly filters = (): Draft<z.output<F>> => {
    const { filters } = this.contract
    if (!filters) throw this.missing('filters')
    const draft = checkFilters(this.c, filters, this.received.sent)
    this.fields = (draft.values as { fields?: unknown }).fields
    return draft
  }

  readonly body = async () => {
    const { body } = this.contract
    if (!body) throw this.missing('body')
    return this.received.body.parse(body)
  }

  private missing(part: string): Error {
    return new Error(`${this.path} declares no ${part}`)
  }
}

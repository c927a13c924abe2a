/** Bindings that fail on demand: a call to D1, R2 or KV can be lost before it takes effect, or its result after. */
import { aroundCalls, overlay } from '../runtime/overlay.ts'

/** Which calls fail. With a `rate`, each fails with that probability. */
export type Plan = Fault | { rate: number; seed: number } | null

/** One call that fails. */
export interface Fault {
  /** Its number among the storage calls of one request, from 1. */
  at: number
  /** `after`: it took effect, and only its result is lost. */
  when: 'before' | 'after'
  /** Whether all later calls fail as well. */
  isLasting?: boolean
  /** Whether the call never settles, as if the Worker had been terminated. */
  isCut?: boolean
}

/** The bindings that hold data. */
type Storage = Partial<Pick<Env, 'DB' | 'PHOTOS' | 'API_KEYS'>>

/** Counts the storage calls of one request and decides which of them fail. */
export class Faults {
  calls = 0
  /** Resolves once the Worker counts as terminated. */
  readonly cut: Promise<void>
  private endWorker = (): void => undefined
  private readonly plan: Plan
  private state: number

  constructor(plan: Plan) {
    this.plan = plan
    this.state = plan && 'seed' in plan ? plan.seed : 0
    this.cut = new Promise((resolve) => {
      this.endWorker = resolve
    })
  }

  /** Runs a storage call, or fails it as the plan says. */
  async run<T>(error: string, call: () => Promise<T>): Promise<T> {
    const fate = this.nextFate()
    if (fate === 'before') return this.fail(error)
    const result = await call()
    return fate === 'after' ? this.fail(error) : result
  }

  private fail(error: string): Promise<never> {
    const { plan } = this
    if (!(plan && 'at' in plan && plan.isCut)) return Promise.reject(new Error(error))
    this.endWorker()
    return new Promise(() => {})
  }

  private nextFate(): 'before' | 'after' | null {
    this.calls++
    const { plan } = this
    if (!plan) return null
    if ('at' in plan) {
      const fails = plan.isLasting ? this.calls >= plan.at : this.calls === plan.at
      return fails ? plan.when : null
    }
    if (this.chance() >= plan.rate) return null
    return this.chance() < 0.5 ? 'before' : 'after'
  }

  /** From 0 up to, but not including, 1 (Numerical Recipes' linear congruential generator). */
  private chance(): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0
    return this.state / 2 ** 32
  }
}

/** The errors of the platform when a call is lost. */
const D1_LOST = 'D1_ERROR: Network connection lost.'
const R2_LOST = 'We encountered an internal error. Please try again. (10001)'
const KV_LOST = 'KV request failed: 500 Internal Server Error'

const BUCKET_CALLS = ['head', 'get', 'put', 'delete', 'list']
const NAMESPACE_CALLS = ['get', 'getWithMetadata', 'put', 'delete', 'list']

/** `bindings` whose storage fails as `faults` decide. */
export function withFaults<T extends Storage>(bindings: T, faults: Faults): T {
  const { DB, PHOTOS, API_KEYS } = bindings
  return {
    ...bindings,
    ...(DB && { DB: aroundCalls(DB, (send) => faults.run(D1_LOST, send)) }),
    ...(PHOTOS && { PHOTOS: faultyCalls(PHOTOS, BUCKET_CALLS, R2_LOST, faults) }),
    ...(API_KEYS && { API_KEYS: faultyCalls(API_KEYS, NAMESPACE_CALLS, KV_LOST, faults) }),
  }
}

function faultyCalls<T extends R2Bucket | KVNamespace>(
  binding: T,
  names: string[],
  error: string,
  faults: Faults,
): T {
  const calls = names.map((name) => {
    const call = Reflect.get(binding as object, name) as (...args: unknown[]) => unknown
    return [name, (...args: unknown[]) => faults.run(error, async () => call.apply(binding, args))]
  })
  return overlay(binding, Object.fromEntries(calls))
}

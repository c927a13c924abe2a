/**
 * Keeps what Estia answers for a moment, and pages that are the same for everybody a little longer: equal pages cost one
 * call, and are made once. Each isolate keeps its own.
 */
import type { Settings } from './settings.ts'

/** As long as Estia itself keeps what it answers. */
const KEPT_MS = 30_000
const PAGE_KEPT_MS = 60_000
const MAX_ANSWERS = 500
/** Of one answer, and of all together, in characters. */
const MAX_LENGTH = 1_000_000
const MAX_TOTAL = 16_000_000

interface Answer {
  body: string
  type: string
  until: number
}

class Answers {
  private readonly answers = new Map<string, Answer>()
  private total = 0

  /** The page at `url`: one that is kept, or what `make` makes. Nothing in it may be of one visitor alone. */
  page(url: string, make: () => Promise<Response>): Promise<Response> {
    return this.get(`page ${url}`, make, PAGE_KEPT_MS)
  }

  /** The answer to `url`: one that is kept, or what `call` gets. Only success is kept. */
  async get(url: string, call: () => Promise<Response>, time = KEPT_MS): Promise<Response> {
    const kept = this.answers.get(url)
    if (kept && kept.until > Date.now()) return toResponse(kept)
    const response = await call()
    if (response.status !== 200) return response
    const answer = {
      body: await response.text(),
      type: response.headers.get('Content-Type') ?? '',
      until: Date.now() + time,
    }
    this.keep(url, answer)
    return toResponse(answer)
  }

  private keep(url: string, answer: Answer): void {
    this.drop(url)
    if (answer.body.length > MAX_LENGTH) return
    this.answers.set(url, answer)
    this.total += answer.body.length
    // The oldest are first.
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= MAX_ANSWERS && this.total <= MAX_TOTAL) break
      this.drop(oldest)
    }
  }

  private drop(url: string): void {
    this.total -= this.answers.get(url)?.body.length ?? 0
    this.answers.delete(url)
  }
}

const toResponse = ({ body, type }: Answer) => new Response(body, { headers: { 'Content-Type': type } })

/** By deployment: answers depend on its key. */
const kept = new WeakMap<Settings, Answers>()

/** The answers that are kept for a deployment. */
export function answersOf(env: Settings): Answers {
  const answers = kept.get(env) ?? new Answers()
  kept.set(env, answers)
  return answers
}

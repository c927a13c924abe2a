/** Validates a reply. A bad call may be refused in any way that keeps the promises of every reply. */
import type { FuzzAnswer, FuzzCall, FuzzOutcome } from './call.ts'

/** Text that reveals internals of the service. */
const INSIDE = /SQLITE_|D1_ERROR|drizzle|\bselect .{1,200} from\b|\.[jt]s:\d+:\d+|\n\s+at \w/i

/** The message about a picture elsewhere that cannot be downloaded, which is no fault of the service. */
const ELSEWHERE = /"photos\.\d+: Could not download photo"/

/** Whether the service itself replied. workerd refuses invalid HTTP before it reaches the service. */
export function isServed({ headers }: FuzzAnswer): boolean {
  return headers.has('x-request-id')
}

/** Why `outcome` is a finding; null when all is well. */
export function validate(call: FuzzCall, outcome: FuzzOutcome): string | null {
  if ('failure' in outcome) {
    if (outcome.failure === 'refused') return 'the service is dead'
    // A call that announces more bytes than it sends gets no reply by design.
    return call.malformed ? null : outcome.failure
  }
  const { answer } = outcome
  const served = isServed(answer)
  if (call.malformed && !served) return null
  const isElsewhere = answer.status === 503 && ELSEWHERE.test(answer.text)
  if (answer.status >= 500 && !isElsewhere) return `answers ${answer.status}`
  if (!served) return null
  if (answer.status >= 400 && INSIDE.test(answer.text)) return 'reveals its inside'
  return brokenEnvelope(call, answer)
}

function brokenEnvelope(call: FuzzCall, { status, headers, text }: FuzzAnswer): string | null {
  if (call.method === 'HEAD' || status === 204 || status === 304) {
    return text === '' ? null : `a body where ${status} has none`
  }
  const type = headers.get('content-type') ?? ''
  if (status < 400 && !type.includes('json')) return null
  if (type.includes('ndjson') || type.includes('text/html')) return null
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    return `${status} with a body that is no JSON`
  }
  // A listing as schema.org has no envelope.
  if (status === 200 && (!/^\/(api|admin)\//.test(call.target) || type.includes('ld+json'))) return null
  if (typeof body !== 'object' || body === null || !('status' in body) || body.status !== status) {
    return `${status} without its status in the body`
  }
  if (status < 400) return null
  const keys = Object.keys(body)
    .toSorted((a, b) => a.localeCompare(b))
    .join()
  if (type.includes('problem+json')) {
    return keys === 'detail,error_message,errors,status,title,type' ? null : `problem details with ${keys}`
  }
  return keys === 'error_message,status' ? null : `an error with ${keys}`
}

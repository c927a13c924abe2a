/** One thing wrong with a request; `field` is dotted (`details.heating_type`), `message` the whole sentence. */
export interface Problem {
  field: string
  message: string
}

/** An answer other than success. `message` is the API's own sentence: `Missing price`, `Listing not found`. */
export class EstiaError extends Error {
  override readonly name = 'EstiaError'
  /** HTTP status code. */
  readonly status: number
  /** Every problem that the API found in the request; empty when it is not about single fields. */
  readonly problems: Problem[]
  /** What the service's log calls this request; worth quoting in a report. */
  readonly requestId: string | null

  /** @param body what the answer's body holds: the parsed JSON, or its text when it is none */
  constructor(response: Response, body: unknown) {
    const parsed: { error_message?: unknown; errors?: unknown } =
      typeof body === 'object' && body !== null ? body : {}
    super(
      typeof parsed.error_message === 'string'
        ? parsed.error_message
        : `${response.status} ${response.statusText}`.trimEnd(),
    )
    this.status = response.status
    this.problems = Array.isArray(parsed.errors) ? parsed.errors : []
    this.requestId = response.headers.get('X-Request-Id')
  }
}

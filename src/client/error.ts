/** One thing wrong with a request. `field` is dotted (`details.heating_type`), `message` is a whole sentence. */
export interface Problem {
  field: string
  message: string
}

/** A reply other than success. `message` is the text of the API: `Missing price`, `Listing not found`. */
export class EstiaError extends Error {
  override readonly name = 'EstiaError'
  readonly status: number
  /** Every problem of the request; empty if the error is not about single fields. */
  readonly problems: Problem[]
  /** Identifies the request in the service's log; include it when you report a problem. */
  readonly requestId: string | null

  /** @param body the body of the reply: parsed JSON, or text if it is not JSON */
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

/** A scope of a caller, and its name. */

/** A permission that a call requires. */
export interface Scope {
  resource: string
  /** `read` or `write`; of the resource `admin` what is administered. */
  access: string
}

/** The scope as written in API keys: `listings:read`. */
export function nameScope({ resource, access }: Scope): string {
  return `${resource}:${access}`
}

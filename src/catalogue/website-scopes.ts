/** The scopes of website keys, whose calls act for visitors of a website (`http/caller/website-keys.ts`). */

/** The scope of what the public may see of listings. */
export const PUBLIC_LISTINGS = 'listings:public'
/** The scope of writing enquiries for visitors, who are not trusted. */
export const CREATE_ENQUIRIES = 'enquiries:create'
/** The scope of a website's server that writes enquiries, and has its own means against programs. */
export const WRITE_ENQUIRIES = 'enquiries:write'

/** The scopes that make a website key. No other key has them; `EXTRA_SCOPES` has what may stand beside them. */
export const WEBSITE_SCOPES: ReadonlySet<string> = new Set([PUBLIC_LISTINGS, CREATE_ENQUIRIES])
/** The scopes of ordinary keys that a secret website key may have as well. */
export const EXTRA_SCOPES: ReadonlySet<string> = new Set([WRITE_ENQUIRIES])

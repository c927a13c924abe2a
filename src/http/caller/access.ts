/**
 * Persons whom Cloudflare Access has signed in. Access sends an assertion with each of their calls, a JWT that is signed with
 * a key of the team: https://developers.cloudflare.com/cloudflare-one/access-controls/applications/http-apps/authorization-cookie/validating-json/
 */
import type { Context } from 'hono'
import { decode, verifyWithJwks } from 'hono/jwt'
import { z } from 'zod'
import { allowsPrivateHosts } from '../../net/address.ts'
import { withDeadline } from '../../net/deadline.ts'
import { MakingTakesTooLong, makeOnce } from '../concurrency/single-maker.ts'
import type { App } from '../context.ts'
import { ApiError } from '../errors.ts'
import { describeFailure, log } from '../log.ts'
import { callOut } from '../outgoing.ts'

const ASSERTION = 'Cf-Access-Jwt-Assertion'
const MAX_ASSERTION = 8192
/** How far the clocks of Access and of the service may differ, in seconds. */
const MAX_SKEW = 60

/** How long the keys of a team are kept, in ms. */
const KEYS_LIFETIME = 3_600_000
/** The keys are not fetched again within this time because of an unknown key, whether that failed or not, in ms. */
const UNKNOWN_KEY_PAUSE = 60_000
/** The keys are not fetched again within this time after that failed, in ms, where none are kept. */
const FAILURE_PAUSE = 2000
const FETCH_TIMEOUT = 5000
/** Longest document with keys that is read, in bytes. Real ones have some 4,000. */
const MAX_DOCUMENT = 65_536

/** The last second that a date of the API can name: of the year 9999. */
const MAX_DATE = 253_402_300_799

/** What an assertion says, once it is verified. */
const claims = z.object({
  email: z.email().max(255),
  exp: z.number().max(MAX_DATE),
  nbf: z.number().optional(),
})

type PublicKey = JsonWebKey & { kid: string }

const certificates = z.object({ keys: z.array(z.looseObject({ kid: z.string(), kty: z.string() })).max(32) })

export interface SignedIn {
  email: string
  /** When the assertion ends, in seconds since 1970. */
  expires: number
}

/** Whether the deployment knows how to verify assertions. Neither setting: `off`; one of them alone: `incomplete`. */
export function accessState({ ACCESS_TEAM, ACCESS_AUD }: Env): 'on' | 'off' | 'incomplete' {
  if (!ACCESS_TEAM && !ACCESS_AUD) return 'off'
  return ACCESS_TEAM && ACCESS_AUD ? 'on' : 'incomplete'
}

/** The person who calls; null without a valid assertion. Throws 503 if the keys of the team cannot be had. */
export async function findSignedIn(c: Context<App>): Promise<SignedIn | null> {
  const assertion = c.req.header(ASSERTION)
  const issuer = issuerOf(c.env)
  if (!assertion || assertion.length > MAX_ASSERTION || issuer === null || !c.env.ACCESS_AUD) return null
  const key = keyNameOf(assertion)
  if (key === null) return null
  const keys = await findKeys(c, issuer, key)
  try {
    const payload = await verifyWithJwks(assertion, {
      keys,
      allowedAlgorithms: ['RS256'],
      // The dates are judged below, as clocks may differ.
      verification: { iss: issuer, aud: c.env.ACCESS_AUD, exp: false, nbf: false, iat: false },
    })
    const { email, exp, nbf } = claims.parse(payload)
    const now = Date.now() / 1000
    if (exp <= now - MAX_SKEW || (nbf !== undefined && nbf > now + MAX_SKEW)) return null
    return { email: email.toLowerCase(), expires: exp }
  } catch {
    return null
  }
}

/**
 * Throws 403 unless the call comes from a page of the service itself: browsers send the assertion with the calls of any
 * page. `Origin` counts only where there is no `Sec-Fetch-Site`: `wrangler dev` gives an `Origin` of its host its own scheme.
 */
export function requireOwnPage(c: Context<App>): void {
  const site = c.req.header('Sec-Fetch-Site')
  const isOwn = site ? site === 'same-origin' : c.req.header('Origin') === new URL(c.req.url).origin
  if (!isOwn) throw new ApiError(403, 'Calls of a person must come from a page of the service itself')
}

/** The issuer of the team's assertions; null without a team. Only on a machine of a developer may it be any address. */
function issuerOf(env: Env): string | null {
  const { ACCESS_TEAM = '' } = env
  if (/^[a-z\d-]{1,63}$/i.test(ACCESS_TEAM)) return `https://${ACCESS_TEAM}.cloudflareaccess.com`
  const isAddress = /^https?:\/\//.test(ACCESS_TEAM) && URL.canParse(ACCESS_TEAM)
  return isAddress && allowsPrivateHosts(env) ? ACCESS_TEAM.replace(/\/+$/, '') : null
}

/** The name of the key that has signed an assertion; null if it is none. */
function keyNameOf(assertion: string): string | null {
  try {
    return decode(assertion).header.kid || null
  } catch {
    return null
  }
}

/** The keys of a team, as this isolate has them. Times are those of `Date.now()`. */
interface TeamKeys {
  keys: PublicKey[]
  fetchedAt: number
  failedAt: number
}

const known = new Map<string, TeamKeys>()

/** The keys of the team, fetched again if they are old or lack the one called `name`. Throws 503. */
async function findKeys(c: Context<App>, issuer: string, name: string): Promise<PublicKey[]> {
  const team = known.get(issuer) ?? { keys: [], fetchedAt: Number.NEGATIVE_INFINITY, failedAt: 0 }
  known.set(issuer, team)
  const now = Date.now()
  const isFresh = now - team.fetchedAt < KEYS_LIFETIME
  const hasKey = team.keys.some(({ kid }) => kid === name)
  if (isFresh && (hasKey || now - team.fetchedAt < UNKNOWN_KEY_PAUSE)) return team.keys
  if (now - team.failedAt >= (isFresh ? UNKNOWN_KEY_PAUSE : FAILURE_PAUSE)) {
    try {
      team.keys = await makeOnce(`keys of ${issuer}`, {
        make: () => fetchKeys(c.env, issuer),
        waitUntil: (work) => c.executionCtx.waitUntil(work),
        until: now + FETCH_TIMEOUT + 1000,
      })
      team.fetchedAt = now
      return team.keys
    } catch (error) {
      if (!(error instanceof MakingTakesTooLong)) log('error', { work: 'access', ...describeFailure(error) })
      team.failedAt = Date.now()
    }
  }
  if (isFresh) return team.keys
  throw new ApiError(503, 'The keys of Cloudflare Access cannot be had; try again', [], {
    'Retry-After': '5',
  })
}

async function fetchKeys(env: Env, issuer: string): Promise<PublicKey[]> {
  const signal = AbortSignal.timeout(FETCH_TIMEOUT)
  const response = await callOut(env, `${issuer}/cdn-cgi/access/certs`, { redirect: 'manual', signal })
  if (!response.ok) throw new Error(`The keys of Cloudflare Access: ${response.status}`)
  const text = await withDeadline(signal, readText(response))
  return certificates.parse(JSON.parse(text)).keys as PublicKey[]
}

async function readText(response: Response): Promise<string> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > MAX_DOCUMENT) throw new Error('The document with keys is too long')
  }
  return text
}

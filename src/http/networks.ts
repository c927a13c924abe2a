/** The address that a call comes from, and the networks around it. */
import type { Context } from 'hono'
import { expandIPv6 } from 'hono/utils/ipaddr'
import { z } from 'zod'
import type { App } from './context.ts'

/**
 * The network of the client, or of the visitor whom a website's server calls for: an IPv4 address, or the /64 of an IPv6
 * address, which belongs to one customer.
 */
export function clientNetwork(c: Context<App>): string {
  const address = clientAddress(c)
  return isIPv6(address) ? prefixOf(address, 4) : address
}

/** The network around that one: the /24 of an IPv4 address, or the /48 of an IPv6 address, which sites have. */
export function clientSite(c: Context<App>): string {
  return siteOf(clientAddress(c))
}

/** The same of the connection itself, not of the visitor whom a website's server calls for. */
export function connectionSite(c: Context<App>): string {
  return siteOf(plainAddress(connectionAddress(c)))
}

function siteOf(address: string): string {
  return isIPv6(address) ? prefixOf(address, 3) : address.replace(/\.\d+$/, '.0/24')
}

const connectionAddress = (c: Context<App>) => c.req.header('CF-Connecting-IP')

function clientAddress(c: Context<App>): string {
  return plainAddress(c.get('visitorAddress') ?? connectionAddress(c))
}

function plainAddress(sent: string | undefined): string {
  const address = sent?.trim().toLowerCase() ?? ''
  return isIPv6(address) ? (mappedIPv4(address) ?? address) : address
}

/** The IPv4 address within an IPv6 address, however that is written; null if it is none. All of them would be one network. */
function mappedIPv4(address: string): string | null {
  const { hostname } = new URL(`http://[${address}]`)
  const [, ...groups] = /^\[::ffff:([\da-f]{1,4}):([\da-f]{1,4})\]$/.exec(hostname) ?? []
  if (groups.length === 0) return null
  return groups
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
    .join('.')
}

/** Whether `text` is one IP address and nothing else. */
export function isAddress(text: string): boolean {
  return z.regexes.ipv4.test(text) || (/^[\da-f:.]+$/i.test(text) && isIPv6(text))
}

/** Without Cloudflare in front, the header may contain anything. */
function isIPv6(address: string): boolean {
  return address.includes(':') && URL.canParse(`http://[${address}]`)
}

/** The network of the first `count` groups of an IPv6 address. */
function prefixOf(address: string, count: number): string {
  const groups = expandIPv6(address).split(':').slice(0, count)
  return `${groups.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/${16 * count}`
}

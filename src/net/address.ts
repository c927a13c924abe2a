/**
 * Decides which hosts the service may call. Callers choose the URLs of photos and webhooks, so every host that is not
 * clearly public is refused. Otherwise the service would give access to the network it runs in.
 *
 *     isRefusedHost(new URL('http://0x7f.1/').hostname) // true
 *
 * Host names must come from the URL parser, which has already normalised decimal, octal, hexadecimal and short IPv4. A
 * Worker cannot see what a name resolves to, but its fetch only uses the public Internet
 * (`global_fetch_strictly_public`).
 *
 * Standards: IANA special-purpose address registries (RFC 6890), RFC 6761 and RFC 8375 (names), RFC 4291 (IPv6).
 */
import { expandIPv6 } from 'hono/utils/ipaddr'

const LOCAL_NAMES = [
  'localhost',
  'local',
  'internal',
  'intranet',
  'lan',
  'home',
  'corp',
  'localdomain',
  'home.arpa',
]

/** IPv4 blocks that are not public: first address and prefix length. */
const REFUSED_IPV4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // Most clouds have their metadata service at 169.254.169.254; one uses a public address, 168.63.129.16.
  ['169.254.0.0', 16],
  ['168.63.129.16', 32],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Whether the deployment may call hosts inside private networks, as in local development. */
export function allowsPrivateHosts({
  ALLOW_PRIVATE_PHOTO_URLS,
}: Pick<Env, 'ALLOW_PRIVATE_PHOTO_URLS'>): boolean {
  return ALLOW_PRIVATE_PHOTO_URLS === 'true'
}

/** Whether a URL's host name is, or may be, inside a private network. */
export function isRefusedHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isRefusedIpv6(hostname.slice(1, -1))
  const name = withoutTrailingDots(hostname.toLowerCase())
  if (/^\d+\.\d+\.\d+\.\d+$/.test(name)) return isRefusedIpv4(ipv4Number(name))
  // A name without a dot only has a meaning inside a network.
  return !name.includes('.') || LOCAL_NAMES.some((local) => name.endsWith(`.${local}`))
}

/** Not a regular expression, which would be quadratic for a hundred thousand dots. */
function withoutTrailingDots(name: string): string {
  let end = name.length
  while (name[end - 1] === '.') end--
  return name.slice(0, end)
}

function ipv4Number(dotted: string): number {
  return dotted.split('.').reduce((number, part) => number * 256 + Number(part), 0)
}

function isRefusedIpv4(address: number): boolean {
  return REFUSED_IPV4.some(([first, prefix]) => {
    const block = 2 ** (32 - prefix)
    return Math.floor(address / block) === Math.floor(ipv4Number(first) / block)
  })
}

/**
 * Only 2000::/3 is public. This excludes loopback, unique local, link-local and multicast addresses. It also excludes
 * forms of IPv4: mapped, compatible and NAT64.
 */
function isRefusedIpv6(address: string): boolean {
  const groups = expandIPv6(address).split(':')
  const [first = 0, second = 0, third = 0] = groups.map((group) => Number.parseInt(group, 16))
  if (first < 0x2000 || first > 0x3fff) return true
  // Protocol assignments (such as Teredo) and documentation.
  if (first === 0x2001 && (second < 0x200 || second === 0xdb8)) return true
  if (first === 0x3fff && second < 0x1000) return true
  // 6to4 contains an IPv4 address after its prefix.
  return first === 0x2002 && isRefusedIpv4(second * 0x10000 + third)
}

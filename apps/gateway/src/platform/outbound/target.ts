import { isIP } from 'node:net'
import { createBoundedMap } from '@tollgate/runtime'
import ipaddr from 'ipaddr.js'

/** The longest URL we store or call, in characters, as given and as serialised. */
export const TARGET_CHARACTERS_MAX = 2048

/** A URL that is well formed (call its `.href`, never the text as given), or what is wrong with it. */
export type TargetUrl =
  | { readonly ok: true; readonly url: URL }
  | { readonly ok: false; readonly problem: string }

// A URL parser drops tabs and line ends and reads a backslash as a slash, so that `java\nscript:` and
// `http:\\host` mean something else than what a person or another parser reads. None has a place in a URL.
const CHARACTERS_REFUSED = /[\p{Cc}\p{Cf}\p{Cs}\p{Z}\s\\]/u
// The slashes are written out, and something other than a further slash follows them.
const START_REQUIRED = /^https?:\/\/([^/?#]+)/iu

/**
 * Judges the syntax of a URL that we are to call or to send a customer to: absolute `http:` or `https:` with a
 * host, without user information, at most 2048 characters, and without a fragment unless `allowsFragment`: a browser
 * uses one, a server never sees it. It says nothing about where the URL leads; see `judgeTargetPolicy`. The host comes back in its ASCII form (IDN as punycode, numbers as dotted
 * decimals).
 */
export function parseTargetUrl(text: string, { allowsFragment = false } = {}): TargetUrl {
  if (text.length > TARGET_CHARACTERS_MAX) return refuse('is longer than 2048 characters')
  if (CHARACTERS_REFUSED.test(text)) {
    return refuse('contains a space, a backslash, or a control or invisible character')
  }
  const authority = START_REQUIRED.exec(text)?.[1]
  if (authority === undefined) return refuse('must start with http:// or https:// and a host')
  if (authority.includes('@')) return refuse('must not contain a user name or password')
  if (!allowsFragment && text.includes('#')) return refuse('must not contain a fragment')
  return parsed(text)
}

function parsed(text: string): TargetUrl {
  if (!URL.canParse(text)) return refuse('is not a valid URL')
  const url = new URL(text)
  if (url.hostname === '' || url.port === '0') return refuse('is not a valid URL')
  // Percent-encoding makes a text longer.
  if (url.href.length > TARGET_CHARACTERS_MAX) return refuse('is longer than 2048 characters')
  return { ok: true, url }
}

function refuse(problem: string): TargetUrl {
  return { ok: false, problem }
}

/** The ports that may be called in live unless the configuration adds more. */
export const LIVE_PORTS: readonly number[] = [80, 443, 8080, 8443]

/** What may be called. One for live and one for the sandbox; a merchant's own origins may be added. */
export interface TargetPolicy extends AddressPolicy {
  /** Refuses `http:`: always set in live. */
  readonly httpsOnly: boolean
  readonly portsAllowed: readonly number[] | 'any'
  /** When present, the URL's origin (`https://shop.example`) must be one of these; an empty list allows none. */
  readonly allowedOrigins?: readonly string[]
}

/**
 * Judges a URL from `parseTargetUrl` against the policy, without resolving any name: a name may lead elsewhere
 * by the time of the call, and resolving it here would tell a merchant about names that only we can see. The
 * addresses behind a name are judged at every call, by the outbound client.
 *
 * @returns what is wrong, as the end of a sentence that starts with the field's name, or undefined.
 */
export function judgeTargetPolicy(url: URL, policy: TargetPolicy): string | undefined {
  return judgeTarget(url, policy, createAddressRule(policy))
}

/** `judgeTargetPolicy` with the rule compiled before: for the client, which judges at every call. */
export function judgeTarget(url: URL, policy: TargetPolicy, isAllowed: AddressRule): string | undefined {
  if (policy.httpsOnly && url.protocol !== 'https:') return 'must use https'
  if (!isPortAllowed(portOf(url), policy.portsAllowed)) return 'uses a port that is not allowed'
  if (!isHostAllowed(hostOf(url), isAllowed)) return 'leads to an address that is not allowed'
  if (!isOriginAllowed(url.origin, policy.allowedOrigins)) return 'is not on the list of allowed origins'
  return undefined
}

/** The host without the brackets of an IPv6 address and without the dot that ends an absolute name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/u, '$1').replace(/\.+$/u, '')
}

/** The port called: the URL's, or that of its scheme. */
export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port)
  return url.protocol === 'https:' ? 443 : 80
}

function isPortAllowed(port: number, allowed: TargetPolicy['portsAllowed']): boolean {
  return allowed === 'any' || allowed.includes(port)
}

function isHostAllowed(host: string, isAllowed: AddressRule): boolean {
  if (isIP(host) !== 0) return isAllowed(host)
  const isLocalhost = host === 'localhost' || host.endsWith('.localhost')
  return host !== '' && (!isLocalhost || isAllowed('127.0.0.1') || isAllowed('::1'))
}

function isOriginAllowed(origin: string, allowed: readonly string[] | undefined): boolean {
  return (
    allowed === undefined || allowed.some((entry) => URL.canParse(entry) && new URL(entry).origin === origin)
  )
}

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]

/** Which addresses beyond the public ones may be called, and which may not be called at all. */
interface AddressPolicy {
  /** Opens loopback, RFC 1918 and unique local addresses: for a sandbox on one machine, never in live. */
  readonly allowPrivate: boolean
  /** Ranges opened by name, such as `127.0.0.0/8`. They win over everything but `deniedCidrs`. */
  readonly allowedCidrs?: readonly string[]
  /** Ranges closed by name, such as the gateway's own public addresses. They win over everything. */
  readonly deniedCidrs?: readonly string[]
}

/** Whether one address, in the canonical text form, may be connected to. */
export type AddressRule = (address: string) => boolean

// Every IPv6 address given out for the Internet so far is in here. The rest is special, or not yet anyone's; among
// the rest are forms that `ipaddr.js` takes for ordinary, such as `::127.0.0.1`.
const GLOBAL_UNICAST_V6 = rangeOf('2000::/3')
// An address of the public space that, inside Azure, answers for the cloud itself.
const SERVICES_OF_CLOUDS = ['168.63.129.16/32'].map(rangeOf)
// These live in the unique local range, which a sandbox may open for its own network.
const METADATA_V6 = ['fd00:ec2::254/128', 'fd20:ce::254/128', 'fd00:42::42/128'].map(rangeOf)
const PRIVATE_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'uniqueLocal'])

/**
 * Whether an address is an ordinary address of the public Internet: not loopback, private, shared (CGNAT),
 * link-local, multicast, reserved, documentation or benchmarking space, and not an IPv6 form that carries or
 * translates to an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo). Only canonical notation counts:
 * `0x7f.1` or `127.1` is not an address here, and so not public either.
 */
export function isPublicAddress(address: string): boolean {
  const parsed = parseAddress(address)
  return parsed !== undefined && isPublic(parsed)
}

/**
 * Compiles a policy into a rule. An address is refused when `deniedCidrs` has it or when it is an IPv4-mapped
 * IPv6 address; else allowed when `allowedCidrs` has it, when it is public, or when it is private and
 * `allowPrivate` is set. The metadata services of clouds are never opened by `allowPrivate`.
 *
 * @throws Error when a range is not a CIDR range: a mistake in the configuration.
 */
export function createAddressRule(policy: AddressPolicy): AddressRule {
  const denied = (policy.deniedCidrs ?? []).map(rangeOf)
  const allowed = (policy.allowedCidrs ?? []).map(rangeOf)
  const judge: AddressRule = (address) => {
    const parsed = parseAddress(address)
    if (parsed === undefined || isMapped(parsed) || isIn(denied, parsed)) return false
    return isIn(allowed, parsed) || isPublic(parsed) || (policy.allowPrivate && isPrivate(parsed))
  }
  const known = createBoundedMap<string, boolean>(VERDICTS_KEPT_MAX)
  return (address) => {
    // Merchants call few addresses, again and again.
    const before = known.get(address)
    if (before !== undefined) return before
    const verdict = judge(address)
    known.set(address, verdict)
    return verdict
  }
}

const VERDICTS_KEPT_MAX = 1_000

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast' || isIn(SERVICES_OF_CLOUDS, address)) return false
  return address.kind() === 'ipv4' || isIn([GLOBAL_UNICAST_V6], address)
}

function isPrivate(address: Address): boolean {
  return PRIVATE_RANGES.has(address.range()) && !isIn(METADATA_V6, address)
}

function isMapped(address: Address): boolean {
  return address.range() === 'ipv4Mapped'
}

function parseAddress(text: string): Address | undefined {
  // ipaddr.js alone would also read octal, hexadecimal and shortened notations.
  return isIP(text) === 0 ? undefined : ipaddr.parse(text)
}

function isIn(ranges: readonly Range[], address: Address): boolean {
  return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits))
}

function rangeOf(cidr: string): Range {
  if (!ipaddr.isValidCIDR(cidr)) throw new Error(`"${cidr}" is not a range of addresses such as 127.0.0.0/8.`)
  return ipaddr.parseCIDR(cidr)
}

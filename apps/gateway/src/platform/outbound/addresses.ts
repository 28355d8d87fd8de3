import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Range = readonly [Address, number]

/** Which addresses beyond the public ones may be called, and which may not be called at all. */
export interface AddressPolicy {
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
  const known = new Map<string, boolean>()
  return (address) => {
    const verdict = known.get(address) ?? judge(address)
    // Merchants call few addresses, again and again; whoever names many makes nothing grow.
    if (known.size >= VERDICTS_KEPT_MAX) known.clear()
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

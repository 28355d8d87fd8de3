import { isIPv4, isIPv6 } from 'node:net'

const IPV6_GROUPS = 8
const IPV6_NETWORK_GROUPS = 4
const MAPPED = /^::ffff:(?:0:)?(\d+\.\d+\.\d+\.\d+)$/i

/** Under which a customer's address is counted. An IPv6 customer has a whole /64 to hop through, so the /64 is the address. */
export function addressKey(address: string): string {
  const mapped = MAPPED.exec(address)?.[1] ?? address
  if (isIPv4(mapped)) return mapped
  // A trusted proxy may pass on anything as an address.
  const [plain = ''] = address.split('%', 1)
  if (!isIPv6(plain)) return 'unknown'
  // The URL parser writes every spelling of an address in the same way, and embedded IPv4 in groups.
  const [head = '', tail] = new URL(`http://[${plain}]`).hostname.slice(1, -1).split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = Array.from({ length: IPV6_GROUPS - groups.length - rest.length }, () => '0')
  return [...groups, ...zeros, ...rest].slice(0, IPV6_NETWORK_GROUPS).join(':')
}

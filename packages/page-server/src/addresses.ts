import { isIP, isIPv4, isIPv6 } from 'node:net'
import { ConfigError } from '@tollgate/runtime/settings'

const IPV6_GROUPS = 8
const IPV6_NETWORK_GROUPS = 4
const MAPPED = /^::ffff:(?:0:)?(\d+\.\d+\.\d+\.\d+)$/i

/** Under which a visitor's address is counted. An IPv6 visitor has a whole /64 to hop through, so the /64 is the address. */
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

/** Names of ranges that the HTTP server knows. */
const RANGE_NAMES = ['loopback', 'linklocal', 'uniquelocal']

/** The proxies that a setting lists. Throws ConfigError. */
export function proxiesIn(name: string, text: string | undefined, isLive: boolean): readonly string[] {
  const proxies = (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
  const wrong = proxies.find((each) => !RANGE_NAMES.includes(each) && !isRange(each))
  if (wrong !== undefined)
    throw new ConfigError(
      `${name} must hold addresses or ranges such as 10.0.0.0/8; ${JSON.stringify(wrong)} is none.`,
    )
  const all = proxies.find((each) => /\/0+$/.test(each))
  if (all !== undefined && isLive)
    throw new ConfigError(
      `${name} must not hold ${all} in live: it means every address, so any client could choose the address that it is limited by. Name the ranges that you mean.`,
    )
  return proxies
}

const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 }

function isRange(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const bitsMax = BITS[isIP(address)]
  if (bitsMax === undefined || rest.length > 0) return false
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax)
}

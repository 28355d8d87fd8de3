import { isIP } from 'node:net'
import type { AddressPolicy, AddressRule } from './addresses.ts'
import { createAddressRule } from './addresses.ts'

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

import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { failureOf, OutboundFailure, plainFailure } from './failure.ts'
import type { AddressRule } from './target.ts'

/** Gives all addresses of a name, in the order in which they should be tried. Rejects when there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** The operating system's resolver: it honours the hosts file and the order of the name server. */
export async function resolveBySystem(hostname: string): Promise<readonly string[]> {
  const answers = await lookup(hostname, { all: true, order: 'verbatim' })
  return answers.map((answer) => answer.address)
}

/**
 * The addresses that a host may be connected to. A name is resolved once, and one forbidden address among its
 * addresses forbids them all: whoever mixes them is trying something.
 *
 * @throws OutboundFailure `dns` or `blocked`.
 */
export async function allowedAddresses(
  host: string,
  resolve: Resolve,
  isAllowed: AddressRule,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await resolved(host, resolve) : [host]
  if (addresses.length === 0) throw plainFailure('dns')
  if (!addresses.every(isAllowed)) {
    throw new OutboundFailure('blocked', 'The host leads to an address that is not allowed.')
  }
  return addresses
}

async function resolved(host: string, resolve: Resolve): Promise<readonly string[]> {
  try {
    return await resolve(host)
  } catch (error) {
    throw failureOf(error, 'dns')
  }
}

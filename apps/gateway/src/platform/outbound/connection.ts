import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls, type SecureContext } from 'node:tls'
import { orAborted } from './abort.ts'
import { failureOf, plainFailure, type Stage } from './failure.ts'
import { allowedAddresses, type Resolve } from './resolve.ts'
import { type AddressRule, hostOf, portOf } from './target.ts'

// All addresses of a name are judged; only the first few are tried.
const ADDRESSES_TRIED_MAX = 4
// After this long without an answer the next address is tried as well.
const ADDRESS_PATIENCE_MS = 1_000

/** What it takes to open one connection. The signal's reason is the failure that an abort ends in. */
interface ConnectionOrder {
  readonly url: URL
  readonly signal: AbortSignal
  readonly resolve: Resolve
  readonly isAllowed: AddressRule
  readonly secureContext: SecureContext
}

/**
 * Opens a fresh connection to a host, for one exchange, through TLS where the URL says so. The name is resolved
 * once; only addresses that pass the rule are connected to, and the address at the other end is judged again
 * before the first byte is sent. The caller destroys the socket.
 *
 * @throws OutboundFailure; no socket is left behind.
 */
export async function openConnection(order: ConnectionOrder): Promise<Socket> {
  const host = hostOf(order.url)
  const looking = allowedAddresses(host, order.resolve, order.isAllowed)
  const addresses = await orAborted(looking, order.signal)
  const socket = await openTcp(addresses, order)
  if (order.url.protocol !== 'https:') return socket
  return openTls(socket, host, order)
}

async function openTcp(addresses: readonly string[], order: ConnectionOrder): Promise<Socket> {
  const socket = connectTcp({
    // A host that is no address, so that the lookup below is asked: it hands over the judged addresses alone.
    host: 'judged.invalid',
    port: portOf(order.url),
    lookup: lookupOf(addresses.slice(0, ADDRESSES_TRIED_MAX)),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: ADDRESS_PATIENCE_MS,
    noDelay: true,
  })
  await once(socket, { event: 'connect', stage: 'connect', signal: order.signal })
  // Whatever went wrong before: what counts is who is at the other end.
  const peer = socket.remoteAddress
  if (peer !== undefined && order.isAllowed(peer)) return socket
  socket.destroy()
  throw plainFailure(peer === undefined ? 'reset' : 'blocked')
}

async function openTls(socket: Socket, host: string, order: ConnectionOrder): Promise<Socket> {
  const secured = connectTls({
    socket,
    host,
    // A server name is never an address (RFC 6066); the certificate is compared with the host all the same.
    servername: isIP(host) === 0 ? host : '',
    secureContext: order.secureContext,
    ALPNProtocols: ['http/1.1'],
    // Said here, so that no environment variable can switch it off.
    rejectUnauthorized: true,
  })
  try {
    await once(secured, { event: 'secureConnect', stage: 'tls', signal: order.signal })
    return secured
  } catch (error) {
    socket.destroy()
    throw error
  }
}

function lookupOf(addresses: readonly string[]): LookupFunction {
  const answers = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, _options, callback) => callback(null, answers)
}

interface Awaited {
  readonly event: 'connect' | 'secureConnect'
  readonly stage: Stage
  readonly signal: AbortSignal
}

/** Waits for a socket's event; at an error, a close or an abort the socket is destroyed. */
function once(socket: Socket, awaited: Awaited): Promise<void> {
  // For good: an error that comes between two stages must not end the process.
  socket.on('error', () => {})
  const happened = new Promise<void>((resolve, reject) => {
    const onError = (error: unknown): void => reject(failureOf(error, awaited.stage))
    const onClose = (): void => reject(plainFailure('reset'))
    socket.once('error', onError).once('close', onClose)
    socket.once(awaited.event, () => {
      // Each connection closes in the end, and an error with its stack is not made for nothing.
      socket.off('error', onError).off('close', onClose)
      resolve()
    })
  })
  return orAborted(happened, awaited.signal).catch((error: unknown) => {
    socket.destroy()
    throw error
  })
}

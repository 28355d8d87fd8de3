import { deriveKeys, notificationPath, signRequest } from '@tollgate/rail-protocol'
import { systemClock } from '@tollgate/runtime'
import { createOpenRail } from '../../rails/open/index.ts'
import type { Rail } from '../../rails/rail.ts'

const SECRET = Buffer.alloc(32, 4)

/** An institution `bank` that is asked nothing, and only reports. */
export const reportingBank = (): Rail =>
  createOpenRail({
    code: 'bank',
    keyId: 'bank-1',
    secret: SECRET,
    baseUrl: 'http://127.0.0.1:9',
    customerUrl: 'http://127.0.0.1:9',
    directions: ['PAYIN'] as const,
    flows: ['REDIRECT'] as const,
    outbound: { call: () => Promise.reject(new Error('nobody is asked here')) },
    clock: systemClock,
  })

interface BankMessage {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly address: string
}

/** A message of the bank, signed, as it arrives. */
export function messageOfBank(content: unknown): BankMessage {
  const body = JSON.stringify(content)
  const signed = signRequest(deriveKeys(SECRET).institution, {
    keyId: 'bank-1',
    method: 'POST',
    path: notificationPath('bank'),
    body,
    timestampSeconds: Math.floor(Date.now() / 1000),
  })
  const headers = Object.fromEntries(
    Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return { headers, body: Buffer.from(body), address: '192.0.2.7' }
}

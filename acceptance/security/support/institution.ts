import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { deriveKeys, notificationPath, type PaymentState, signRequest } from '@tollgate/rail-protocol'
import type { TestLife } from '@tollgate/testkit'
import type { Gateway } from './gateway.ts'

/** Nobody listens there: what the gateway asks an institution, nobody answers. */
const NOWHERE = 'http://127.0.0.1:9'

/** The settings of a gateway that has these institutions; their secrets are files in a folder of the test's own. */
export function institutionSettings(
  t: TestLife,
  secrets: Readonly<Record<string, Uint8Array>>,
): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-institutions-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const rails = Object.entries(secrets).map(([code, secret]) => {
    writeFileSync(join(folder, code), Buffer.from(secret).toString('base64'))
    return {
      code,
      keyId: `${code}-1`,
      secretFile: code,
      baseUrl: NOWHERE,
      customerUrl: NOWHERE,
      directions: ['PAYIN', 'PAYOUT', 'TOPUP'],
      flows: ['REDIRECT'],
    }
  })
  const file = join(folder, 'rails.json')
  writeFileSync(file, JSON.stringify(rails))
  return { TOLLGATE_OPEN_RAILS_FILE: file }
}

/** How a message is made wrong, or by whom else it is sent. */
export interface Sending {
  readonly railCode?: string
  readonly keyId?: string
  readonly secret?: Uint8Array
  /** Signed with the key by which the gateway itself signs. */
  readonly reflected?: boolean
  readonly path?: string
  readonly method?: string
  /** Seconds from now. */
  readonly shiftSeconds?: number
  /** Changes the headers after they were signed. */
  readonly headers?: (signed: Record<string, string>) => Record<string, string>
  /** Sent in place of the body that was signed. */
  readonly bodySent?: string
}

/** An institution with its secret. */
interface Institution {
  /** Posts any body, signed as told; answers the status. */
  post(body: string, how?: Sending): Promise<number>
  /** Reports a payment's state under an id of its own, or under that one. */
  report(state: PaymentState, idNotification?: string, how?: Sending): Promise<number>
}

/** An institution that reports to a gateway. */
export function institutionOf(
  gateway: Pick<Gateway, 'url'>,
  railCode: string,
  secret: Uint8Array,
): Institution {
  const post: Institution['post'] = async (body, how = {}) => {
    const path = notificationPath(how.railCode ?? railCode)
    const signed = sign(body, {
      keyId: `${railCode}-1`,
      secret,
      path,
      method: 'POST',
      shiftSeconds: 0,
      ...how,
    })
    const response = await fetch(`${gateway.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(how.headers?.({ ...signed }) ?? signed) },
      body: how.bodySent ?? body,
    })
    await response.arrayBuffer()
    return response.status
  }
  return {
    post,
    report: (payment, idNotification = randomUUID(), how) =>
      post(JSON.stringify({ idNotification, payment }), how),
  }
}

type Signing = Required<Pick<Sending, 'keyId' | 'secret' | 'path' | 'method' | 'shiftSeconds'>> & Sending

function sign(body: string, { keyId, secret, path, method, shiftSeconds, reflected }: Signing) {
  const keys = deriveKeys(secret)
  const timestampSeconds = Math.floor(Date.now() / 1000) + shiftSeconds
  const key = reflected === true ? keys.gateway : keys.institution
  return signRequest(key, { keyId, method, path, timestampSeconds, body })
}

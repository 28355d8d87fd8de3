import { request as httpRequest } from 'node:http'
import { runSql } from '@tollgate/testkit'

/** Sixteen of them are what the API takes of a file. */
export const MIB = 1_048_576

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:'
const HEAD = '<GrpHdr><MsgId>M1</MsgId><CreDtTm>2026-11-20T06:00:00Z</CreDtTm></GrpHdr>'

/** A booking in a file; below zero for money that goes. */
interface Booking {
  readonly cents: number
  readonly text: string
  readonly reference?: string
}

const decimal = (cents: number, sign: '.' | ','): string =>
  `${Math.trunc(Math.abs(cents) / 100)}${sign}${String(Math.abs(cents) % 100).padStart(2, '0')}`

/** A statement or a notification. Without a closing balance of its own it adds up. */
export function camt(
  message: 'camt.053.001.08' | 'camt.054.001.08',
  given: {
    readonly id: string
    readonly bookings: readonly Booking[]
    readonly iban: string
    readonly opening?: number
    readonly closing?: number
  },
): string {
  const { id, bookings, iban, opening = 0 } = given
  const isStatement = message.startsWith('camt.053')
  const end = given.closing ?? bookings.reduce((sum, { cents }) => sum + cents, opening)
  const [body, inner] = isStatement ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  const balance = (code: string, cents: number): string =>
    `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="EUR">${decimal(cents, '.')}</Amt><CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-11-20</Dt></Dt></Bal>`
  const balances = isStatement ? `${balance('OPBD', opening)}${balance('CLBD', end)}` : ''
  return `<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="${NAMESPACE}${message}"><${body}>${HEAD}
<${inner}><Id>${id}</Id><CreDtTm>2026-11-20T06:00:00Z</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>EUR</Ccy></Acct>${balances}
${bookings.map(entry).join('\n')}</${inner}></${body}></Document>`
}

function entry({ cents, text, reference }: Booking): string {
  const booked = reference === undefined ? '' : `<AcctSvcrRef>${reference}</AcctSvcrRef>`
  return `<Ntry><Amt Ccy="EUR">${decimal(cents, '.')}</Amt><CdtDbtInd>${cents < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2026-11-20</Dt></BookgDt>${booked}<BkTxCd/><NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`
}

/** An MT940 of one statement with these lines between the balances, which agree if `cents` came. */
export function mt940(account: string, lines: readonly string[], cents = 0): string {
  return [
    ':20:X',
    `:25:${account}`,
    ':28C:1/1',
    ':60F:C261119EUR0,00',
    ...lines,
    `:62F:C261120EUR${decimal(cents, ',')}`,
    '-',
    '',
  ].join('\r\n')
}

export interface Posted {
  readonly status: number
  readonly text: string
  readonly retryAfter: string | undefined
  /** How many looks at the other address were answered after the whole body had left, and before the answer came. */
  readonly looks: number
}

/** Posts a body, and looks at another address all the time from when the body has left until the answer comes. */
export async function postAndLook(
  url: string,
  { token, body, lookAt }: { readonly token: string; readonly body: string; readonly lookAt: string },
): Promise<Posted> {
  const sent = Promise.withResolvers<undefined>()
  const headers = {
    authorization: `Bearer ${token}`,
    'x-api-version': '2',
    'content-type': 'text/plain',
    'content-length': Buffer.byteLength(body),
  }
  const answered = new AbortController()
  const answer = new Promise<Omit<Posted, 'looks'>>((resolve, reject) => {
    const request = httpRequest(url, { method: 'POST', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => {
        answered.abort()
        const retryAfter = response.headers['retry-after']
        resolve({ status: response.statusCode ?? 0, text, retryAfter })
      })
    })
    request.on('error', reject).end(body, () => sent.resolve(undefined))
  })
  await Promise.race([sent.promise, answer])
  let looks = 0
  while (!answered.signal.aborted) {
    const { status } = await fetch(lookAt)
    if (status !== 200) throw new Error(`${lookAt} answered ${status}`)
    looks += 1
  }
  return { ...(await answer), looks }
}

/** Our account in EUR. */
export async function ownIban(databaseUrl: string): Promise<string> {
  const rows = await runSql(
    databaseUrl,
    `select iban from bank_accounts where currency_code = 'EUR' and iban is not null`,
  )
  return String(rows[0]?.['iban'])
}

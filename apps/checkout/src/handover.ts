import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { Type } from 'typebox'
import { Compile } from 'typebox/schema'
import type { Mode, Session, Sessions } from './sessions.ts'
import { readToken } from './token.ts'

// From a computer to a phone: a link, short enough for a code that is scanned from a screen, which opens the same payment
// with the same rights there. It holds the token, sealed, and nothing that the customer typed.

/** For so long a link can be opened. */
export const TICKET_MS = 600_000
const TICKET_LENGTH_MAX = 4_000
const CONTENT_BYTES_MAX = 20_000
const LENGTH_BYTES = 2

/** What tokens are made of, so that it need not be written. Another text makes links that older pages cannot open. */
const DICTIONARY = Buffer.from(
  '","operations":["GET /merchant-info","POST /payins/!availablePaymentOptions","POST /payins/","GET /payins/"],"money":{"amount":"","currencyCode":"USD"},"currencyCode":"EUR"},"idPayment":"","generation":,"iss":"tollgate","aud":"tollgate-live"}tollgate-sandbox","sub":"","iat":1,"exp":1,"jti":"{"alg":"EdDSA","kid":"","typ":"JWT"}["PAY","["STATUS","',
)

/** What a link opens. */
interface HandedOver {
  readonly mode: Mode
  readonly session: Session
}

const TicketSchema = Type.Tuple([
  Type.Enum(['PAY', 'STATUS']),
  Type.String(),
  /** When the link ends, and when the session does, in seconds. */
  Type.Integer(),
  Type.Integer(),
  /** The first two parts of the token, as they are inside. */
  Type.String(),
  Type.String(),
])
const isTicket = Compile(TicketSchema)

/** A ticket for the session; undefined for a token that cannot be packed. It can do what the session can, and ends with it. */
export function ticketFor(
  sessions: Pick<Sessions, 'sealTicket'>,
  { mode, session }: HandedOver,
  nowMs: number,
): string | undefined {
  const [header = '', payload = '', signature = ''] = session.token.split('.').map(decoded)
  const endMs = Math.min(nowMs + TICKET_MS, session.expireAtMs)
  const content = [mode, session.idPayin, seconds(endMs), seconds(session.expireAtMs), header, payload]
  const rest = Buffer.from(signature, 'latin1')
  if (tokenOf(header, payload, rest) !== session.token) return undefined
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt16BE(rest.length)
  const packed = deflateRawSync(JSON.stringify(content), { dictionary: DICTIONARY, level: 9 })
  const sealed = sessions.sealTicket(Buffer.concat([length, rest, packed]))
  return sealed.length > TICKET_LENGTH_MAX ? undefined : sealed
}

const seconds = (ms: number): number => Math.floor(ms / 1000)

/** The signature is bytes; the other two parts are texts. */
function decoded(part: string, index: number): string {
  return Buffer.from(part, 'base64url').toString(index === 2 ? 'latin1' : 'utf8')
}

function tokenOf(header: string, payload: string, signature: Buffer): string {
  return [Buffer.from(header), Buffer.from(payload), signature]
    .map((part) => part.toString('base64url'))
    .join('.')
}

/** What a ticket opens; undefined for one that is over, was changed, or is none. */
export function openTicket(
  sessions: Pick<Sessions, 'openTicket'>,
  ticket: string,
  nowMs: number,
): HandedOver | undefined {
  const bytes = ticket.length > TICKET_LENGTH_MAX ? undefined : sessions.openTicket(ticket)
  if (bytes === undefined) return undefined
  const at = LENGTH_BYTES + bytes.readUInt16BE()
  const content = unpacked(bytes.subarray(at))
  if (!isTicket.Check(content)) return undefined
  const [mode, idPayin, endSeconds, sessionEndSeconds, header, payload] = content
  const token = tokenOf(header, payload, bytes.subarray(LENGTH_BYTES, at))
  const claims = readToken(token)
  if (claims === undefined || nowMs >= endSeconds * 1000) return undefined
  const { merchantCode } = claims
  const expireAtMs = sessionEndSeconds * 1000
  return { mode, session: { merchantCode, idPayin, token, expireAtMs, drafts: {}, refusals: [] } }
}

function unpacked(bytes: Buffer): unknown {
  try {
    const options = { dictionary: DICTIONARY, maxOutputLength: CONTENT_BYTES_MAX }
    return JSON.parse(inflateRawSync(bytes, options).toString('utf8'))
  } catch {
    return undefined
  }
}

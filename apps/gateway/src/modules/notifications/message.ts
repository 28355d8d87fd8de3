import type { Secrets } from '../../platform/secrets.ts'
import type { InboundNotification } from '../../rails/rail.ts'
import type { Notice } from './model.ts'

/** Encrypted with a key of its own, so that erasing the key erases the message. */
export interface SealedMessage {
  readonly dataKey: Buffer
  readonly sealed: Buffer
}

const contextOf = (nonce: string): string => `rail-notification ${nonce}`

/** Seals a message as it came; the payers that it may name are nobody's to read in the database. */
export function sealMessage(secrets: Secrets, nonce: string, message: InboundNotification): SealedMessage {
  const { headers, body, receivedAtMs } = message
  const text = JSON.stringify([receivedAtMs, Buffer.from(body).toString('base64'), Object.entries(headers)])
  return secrets.sealApart(contextOf(nonce), Buffer.from(text))
}

/** Opens what `sealMessage` made. Throws SealBroken for anything else. */
export function openMessage(secrets: Secrets, nonce: string, message: SealedMessage): InboundNotification {
  const text = secrets.openApart(contextOf(nonce), message.dataKey, message.sealed).toString('utf8')
  const parts: unknown = JSON.parse(text)
  if (!isMessageText(parts)) throw new Error('a stored message has another form')
  const [receivedAtMs, body, headers] = parts
  return { receivedAtMs, body: Buffer.from(body, 'base64'), headers: Object.fromEntries(headers) }
}

type MessageParts = readonly [number, string, readonly (readonly [string, string])[]]

function isMessageText(parts: unknown): parts is MessageParts {
  if (!Array.isArray(parts)) return false
  const list: readonly unknown[] = parts
  const [receivedAtMs, body, headers] = list
  return typeof receivedAtMs === 'number' && typeof body === 'string' && Array.isArray(headers)
}

/** Of what a notice says, whatever the spelling of its message; keyed, since amounts and references can be guessed. */
export function digestNotice(secrets: Secrets, notice: Notice): Buffer {
  const { idNotification, reference, merchantCode, direction, money, report } = notice
  const said = [idNotification, reference, merchantCode, direction, money.amount, money.currencyCode, report]
  return secrets.digest('request-digest', `rail-notification ${JSON.stringify(said)}`)
}

/** Of the bytes themselves. */
export function digestBytes(secrets: Secrets, body: Uint8Array): Buffer {
  return secrets.digest('request-digest', Buffer.concat([Buffer.from('rail-notification-bytes '), body]))
}

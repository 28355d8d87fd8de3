import type { Secrets } from '../../platform/secrets.ts'
import type { ParsedEntry } from './parsed.ts'

/**
 * What makes a booking that booking in whichever file it comes: the bank's own reference where there is one, what is
 * known of it otherwise. Keyed, because names and accounts go in.
 */
export function fingerprintOf(secrets: Secrets, accountCode: string, entry: ParsedEntry): Buffer {
  const { direction, amount, currencyCode, bookedOn, bankReference, parts } = entry
  const named =
    bankReference === undefined
      ? parts.map(({ details }) => [
          details.endToEndId,
          details.partyAccount,
          compact([...(details.structuredReferences ?? []), ...(details.texts ?? [])].join('')),
          details.variableSymbol,
        ])
      : compact(bankReference)
  const content = JSON.stringify([accountCode, direction, amount, currencyCode, bookedOn, named])
  return secrets.digest('request-digest', `statement entry ${content}`)
}

/** Banks break texts up in other places from one form of file to another. */
const compact = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()

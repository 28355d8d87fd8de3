import type { Secrets } from '../../../platform/secrets.ts'
import type { ParsedEntry } from './parsed.ts'

/**
 * What makes a booking that booking in whichever file it comes, as far as the file says it: the bank's own reference where
 * there is one, what is known of it otherwise.
 */
export function identityOf({ bankReference, parts }: ParsedEntry): string {
  return JSON.stringify(
    bankReference === undefined
      ? parts.map(({ details }) => [
          details.endToEndId,
          details.partyAccount,
          compact([...(details.structuredReferences ?? []), ...(details.texts ?? [])].join('')),
          details.variableSymbol,
        ])
      : compact(bankReference),
  )
}

/** By what a booking of the account is known again. Keyed, because names and accounts go in. */
export function fingerprintOf(
  secrets: Secrets,
  accountCode: string,
  entry: Pick<ParsedEntry, 'direction' | 'amount' | 'currencyCode' | 'bookedOn'> & {
    readonly identity: string
  },
): Buffer {
  const { direction, amount, currencyCode, bookedOn, identity } = entry
  const head = JSON.stringify([accountCode, direction, amount, currencyCode, bookedOn])
  return secrets.digest('request-digest', `statement entry ${head.slice(0, -1)},${identity}]`)
}

/** Banks break texts up in other places from one form of file to another. */
const compact = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase()

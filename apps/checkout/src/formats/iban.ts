// Also part of the browser's script, so that both judge alike: nothing of Node here.
import { toUpperCode } from './characters.ts'

/** An IBAN as it is stored: capitals, ASCII digits, nothing between. */
export function cleanIban(text: string): string {
  return toUpperCode(text)
}

/** An IBAN as it is read: groups of four. */
export function groupIban(iban: string): string {
  return iban.replace(/(.{4})(?=.)/gu, '$1 ')
}

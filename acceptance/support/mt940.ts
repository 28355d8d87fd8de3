/** A booking of a statement: money that came, or, below zero, went. */
export type Booking = readonly [amount: string, text: string]

const ACCOUNTS = { EUR: '99999999/0000000001', CZK: '9999/0000000000000001' } as const

let statements = 0

/** A day's MT940 of the sandbox's account in the currency; each is another one. */
export function mt940(bookings: readonly Booking[], currencyCode: keyof typeof ACCOUNTS = 'EUR'): string {
  statements += 1
  const cents = bookings.reduce((sum, [amount]) => sum + Math.round(Number(amount) * 100), 0)
  const opening = statements * 1_000_000
  const text = (hundredths: number): string =>
    `${Math.trunc(hundredths / 100)},${String(hundredths % 100).padStart(2, '0')}`
  return [
    ':20:TEST',
    `:25:${ACCOUNTS[currencyCode]}`,
    `:28C:${statements}/1`,
    `:60F:C261119${currencyCode}${text(opening)}`,
    ...bookings.flatMap(([amount, purpose], index) => [
      `:61:2611201120${amount.startsWith('-') ? 'D' : 'C'}${amount.replace('-', '').replace('.', ',')}NTRF${statements}X${index}//B${statements}-${index}`,
      `:86:${purpose}`,
    ]),
    `:62F:C261120${currencyCode}${text(opening + cents)}`,
    '-',
    '',
  ].join('\r\n')
}

/** A statement of the sandbox's account in EUR; days are ISO 8601, and the balance of the opening one is that of its evening. */
export interface DaysOfMt940 {
  readonly openingOn: string
  readonly closingOn: string
  readonly opening: number
  /** What the bank says, where it is not what the bookings make. */
  readonly closing?: number
  readonly bookings?: readonly Booking[]
}

/** An MT940 of some days whose bookings are all of the last one. */
export function mt940OfDays({ openingOn, closingOn, opening, closing, bookings = [] }: DaysOfMt940): string {
  statements += 1
  const moved = bookings.reduce((sum, [amount]) => sum + Number(amount), 0)
  const day = (text: string): string => text.slice(2).replaceAll('-', '')
  const money = (amount: number): string => amount.toFixed(2).replace('.', ',')
  return [
    ':20:TEST',
    `:25:${ACCOUNTS.EUR}`,
    `:28C:${statements}/1`,
    `:60F:C${day(openingOn)}EUR${money(opening)}`,
    ...bookings.flatMap(([amount, purpose], index) => [
      `:61:${day(closingOn)}${amount.startsWith('-') ? 'D' : 'C'}${amount.replace('-', '').replace('.', ',')}NTRF${statements}D${index}//B${statements}-${index}`,
      `:86:${purpose}`,
    ]),
    `:62F:C${day(closingOn)}EUR${money(closing ?? opening + moved)}`,
    '-',
    '',
  ].join('\r\n')
}

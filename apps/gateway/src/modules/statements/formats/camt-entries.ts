import { type Amount, compareAmounts, isPositive, isZero, sumAmounts } from '@tollgate/money'
import { elementsAt, pathOf, textAt, type XmlElement } from '../../../platform/xml/index.ts'
import { FileProblem } from '../errors.ts'
import { readAmount } from './amounts.ts'
import { mergedDetails, readDetails } from './camt-details.ts'
import { dayOf, directionOf, readMoney } from './camt-values.ts'
import type { LineDirection, ParsedEntry, ParsedPart } from './parsed.ts'
import { realReference } from './references.ts'

interface Context {
  readonly label: string
  readonly warnings: string[]
}

/** The entries of a file, each read as soon as it is whole. */
export interface EntryTaking {
  readonly take: (entry: XmlElement) => void
  /** The booked entries of a statement or notification, and how many are not booked. Throws FileProblem. */
  of(
    statement: XmlElement,
    context: Context,
  ): { readonly entries: readonly ParsedEntry[]; readonly pendingCount: number }
}

/** What has been made of an entry; what is wrong with one is said when its statement is read. */
type Taken =
  | { readonly kind: 'BOOKED'; readonly entry: ParsedEntry; readonly warnings: readonly string[] }
  | { readonly kind: 'PENDING' }
  | { readonly kind: 'EMPTY'; readonly where: string }
  | { readonly kind: 'PROBLEM'; readonly problem: FileProblem }

export function createEntryTaking(): EntryTaking {
  const byStatement = new Map<XmlElement, Taken[]>()
  return {
    take(entry) {
      if (entry.parent === undefined) return
      const known = byStatement.get(entry.parent)
      if (known === undefined) byStatement.set(entry.parent, [takeEntry(entry)])
      else known.push(takeEntry(entry))
    },
    of: (statement, context) => gather(byStatement.get(statement) ?? [], context),
  }
}

function gather(taken: readonly Taken[], { label, warnings }: Context): ReturnType<EntryTaking['of']> {
  const entries: ParsedEntry[] = []
  let pendingCount = 0
  for (const each of taken) {
    if (each.kind === 'PROBLEM') throw each.problem
    if (each.kind === 'PENDING') pendingCount += 1
    else if (each.kind === 'EMPTY') warnings.push(`${label}: ${each.where} moves no money and is left out.`)
    else {
      entries.push(each.entry)
      warnings.push(...each.warnings.map((warning) => `${label}: ${warning}`))
    }
  }
  return { entries, pendingCount }
}

function takeEntry(entry: XmlElement): Taken {
  try {
    if (!isBooked(entry)) return { kind: 'PENDING' }
    if (isZero(readMoney(entry, 'Amt').amount)) return { kind: 'EMPTY', where: pathOf(entry) }
    const warnings: string[] = []
    return { kind: 'BOOKED', entry: readEntry(entry, warnings), warnings }
  } catch (error) {
    if (error instanceof FileProblem) return { kind: 'PROBLEM', problem: error }
    throw error
  }
}

/** The status is a text up to version 07 and an element from 08 on. */
function isBooked(entry: XmlElement): boolean {
  const status = textAt(entry, 'Sts', 'Sts/Cd', 'Sts/Prtry')
  if (status === undefined)
    throw new FileProblem('Sts is missing: nothing says whether it is booked.', pathOf(entry))
  return status === 'BOOK'
}

function readEntry(entry: XmlElement, warnings: string[]): ParsedEntry {
  const where = pathOf(entry)
  const { amount, currencyCode } = readMoney(entry, 'Amt')
  if (!isPositive(amount))
    throw new FileProblem('an amount below zero; its direction belongs into CdtDbtInd.', where)
  const direction = directionOf(entry)
  const isReversal = textAt(entry, 'RvslInd') === 'true' || textAt(entry, 'RvslInd') === '1'
  const head = { where, direction, isReversal, amount, currencyCode }
  const bookedText = bookingDayOf(entry, warnings)
  const valuedText = textAt(entry, 'ValDt/Dt', 'ValDt/DtTm')
  return {
    ...head,
    bookedOn: dayOf(bookedText, where),
    valuedOn: valuedText === undefined ? undefined : dayOf(valuedText, where),
    bankReference: realReference(textAt(entry, 'AcctSvcrRef')),
    transactionCode: transactionCodeOf(entry),
    ...readParts(entry, head, warnings),
  }
}

/** Where the day of the booking may be, the most certain place first; the last ones only say that it was not later. */
const BOOKING_DAYS = ['BookgDt/Dt', 'BookgDt/DtTm', 'ValDt/Dt', 'ValDt/DtTm'] as const
const TRANSACTION_DAYS = [
  'NtryDtls/TxDtls/RltdDts/IntrBkSttlmDt',
  'NtryDtls/TxDtls/RltdDts/TxDtTm',
  'NtryDtls/TxDtls/RltdDts/AccptncDtTm',
] as const
const MESSAGE_DAYS = ['CreDtTm', 'FrToDt/ToDtTm'] as const

/** The schema does not ask for one, and notifications (camt.054) often have none. Throws FileProblem when nothing has. */
function bookingDayOf(entry: XmlElement, warnings: string[]): string {
  const own = textAt(entry, ...BOOKING_DAYS)
  if (own !== undefined) return own
  const { parent } = entry
  const header = parent?.parent === undefined ? undefined : textAt(parent.parent, 'GrpHdr/CreDtTm')
  const other =
    textAt(entry, ...TRANSACTION_DAYS) ??
    (parent === undefined ? undefined : textAt(parent, ...MESSAGE_DAYS)) ??
    header
  if (other === undefined)
    throw new FileProblem(
      'nothing says when it was booked: BookgDt and ValDt are missing, and so is CreDtTm of the message.',
      pathOf(entry),
    )
  warnings.push(
    `${pathOf(entry)} has no booking date (BookgDt) and no value date; ${other.slice(0, DAY_CHARACTERS)} is taken for it, which the message says of another date.`,
  )
  return other
}

const DAY_CHARACTERS = 10

function transactionCodeOf(entry: XmlElement): string | undefined {
  const domain = ['BkTxCd/Domn/Cd', 'BkTxCd/Domn/Fmly/Cd', 'BkTxCd/Domn/Fmly/SubFmlyCd'].map((path) =>
    textAt(entry, path),
  )
  return domain[0] === undefined
    ? textAt(entry, 'BkTxCd/Prtry/Cd')
    : domain.filter((code) => code !== undefined).join('/')
}

type Head = Pick<ParsedEntry, 'where' | 'direction' | 'isReversal' | 'amount' | 'currencyCode'>
type Parts = Pick<ParsedEntry, 'parts' | 'difference'>

/**
 * A booking without transactions, or with one, is one part. Of a batch each transaction is one, if their amounts make the
 * sum that was booked. Where they name no amounts there is one part, which says everything that any of them says.
 */
function readParts(entry: XmlElement, head: Head, warnings: string[]): Parts {
  const transactions = elementsAt(entry, 'NtryDtls/TxDtls')
  const whole = (difference?: string): Parts => ({
    parts: [
      {
        amount: head.amount,
        charge: chargeOf([...transactions, entry], head.currencyCode),
        details: mergedDetails(entry, transactions, head),
      },
    ],
    difference,
  })
  if (transactions.length <= 1) return whole()
  const amounts = transactions.map((transaction) => amountOf(transaction, head.currencyCode))
  const known = amounts.filter((amount) => amount !== undefined)
  if (known.length === 0 && !saysAnyAmount(transactions)) {
    warnings.push(
      `the ${transactions.length} transactions of ${head.where} name no amounts; they are taken as one line.`,
    )
    return whole()
  }
  const difference = differenceOf(transactions, known, head)
  if (difference !== undefined) return whole(difference)
  const parts = transactions.flatMap((transaction, index) => {
    const amount = known[index]
    if (amount !== undefined && !isZero(amount)) return toPart(transaction, amount, { entry, head })
    warnings.push(`${pathOf(transaction)} moves no money and is left out.`)
    return []
  })
  return { parts, difference: undefined }
}

function toPart(
  transaction: XmlElement,
  amount: Amount,
  { entry, head }: { readonly entry: XmlElement; readonly head: Head },
): ParsedPart {
  if (!isPositive(amount))
    throw new FileProblem(
      'a transaction of a batch has an amount below zero; its direction belongs into CdtDbtInd.',
      pathOf(transaction),
    )
  return {
    amount,
    charge: chargeOf([transaction], head.currencyCode),
    details: readDetails(entry, transaction, head),
  }
}

/** Why the transactions cannot be taken one by one; undefined when they make the sum. */
function differenceOf(
  transactions: readonly XmlElement[],
  known: readonly Amount[],
  { where, amount, currencyCode }: Head,
): string | undefined {
  const count = transactions.length
  if (known.length < count)
    return `${where}: only ${known.length} of its ${count} transactions name an amount in ${currencyCode}, so their sum cannot be checked against ${amount}.`
  const sum = sumAmounts(known)
  if (compareAmounts(sum, amount) !== 0)
    return `${where}: its ${count} transactions make ${sum} ${currencyCode}, but ${amount} ${currencyCode} are booked.`
  const moving = transactions.filter((_, index) => !isZero(known[index] ?? amount))
  const directions = new Set(moving.map(directionIn).filter((each) => each !== undefined))
  return directions.size > 1
    ? `${where}: its transactions go both ways, which a sum of ${amount} ${currencyCode} does not show.`
    : undefined
}

function directionIn(transaction: XmlElement): LineDirection | undefined {
  return textAt(transaction, 'CdtDbtInd') === undefined ? undefined : directionOf(transaction)
}

/** Where the amount of a transaction may be, the most certain place first. */
const AMOUNT_PARENTS = ['', 'AmtDtls/TxAmt/', 'AmtDtls/CntrValAmt/', 'AmtDtls/InstdAmt/'] as const

function amountOf(transaction: XmlElement, currencyCode: string): Amount | undefined {
  for (const parent of AMOUNT_PARENTS) {
    const found = elementsAt(transaction, `${parent}Amt`).find(
      ({ attributes }) => attributes.get('Ccy') === currencyCode,
    )
    if (found !== undefined) return readAmount(found.text, { decimalSign: '.' }, pathOf(found))
  }
  return undefined
}

function saysAnyAmount(transactions: readonly XmlElement[]): boolean {
  return transactions.some((transaction) =>
    AMOUNT_PARENTS.some((parent) => elementsAt(transaction, `${parent}Amt`).length > 0),
  )
}

/** What banks took, in the currency of the booking: what the transactions say of it, or else the entry. */
function chargeOf(elements: readonly XmlElement[], currencyCode: string): Amount | undefined {
  const [found] = elements.map((element) => chargeIn(element, currencyCode)).filter(isPositive)
  return found
}

function chargeIn(element: XmlElement, currencyCode: string): Amount {
  const ofPath = (path: string): readonly Amount[] =>
    elementsAt(element, path)
      .filter(({ attributes }) => attributes.get('Ccy') === currencyCode)
      .map((found) => readAmount(found.text, { decimalSign: '.' }, pathOf(found)))
  const total = ofPath('Chrgs/TtlChrgsAndTaxAmt')
  return sumAmounts(total.length > 0 ? total : [...ofPath('Chrgs/Rcrd/Amt'), ...ofPath('Chrgs/Amt')])
}

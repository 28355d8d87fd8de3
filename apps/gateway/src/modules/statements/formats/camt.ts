import { negateAmount } from '@tollgate/money'
import { looksLikeIban } from '@tollgate/payment-codes'
import {
  elementsAt,
  pathOf,
  readXml,
  textAt,
  type XmlElement,
  XmlProblem,
  type XmlProblemKind,
} from '../../../platform/xml/index.ts'
import { FileProblem } from '../errors.ts'
import { createEntryTaking, type EntryTaking } from './camt-entries.ts'
import { dayOf, directionOf, readMoney } from './camt-values.ts'
import type { NamedAccount, ParsedBalance, ParsedFile, ParsedStatement } from './parsed.ts'

const BODIES = {
  'camt.053': { format: 'CAMT_053', body: 'BkToCstmrStmt', statement: 'Stmt', word: 'statement' },
  'camt.054': {
    format: 'CAMT_054',
    body: 'BkToCstmrDbtCdtNtfctn',
    statement: 'Ntfctn',
    word: 'notification',
  },
} as const
const MESSAGE = /([a-z]{4}\.\d{3})\.\d{3}\.(\d{2})/
const VERSION_MIN = 2
/** Envelopes of banks' channels around the message. */
const ENVELOPES_MAX = 6

/** Reads camt.053 and camt.054 from version 02 on. Throws FileProblem. */
export function readCamt(text: string): ParsedFile {
  const entries = createEntryTaking()
  const document = findDocument(readRoot(text, entries))
  const shape = shapeOf(document, text)
  const bodies = elementsAt(document, shape.body)
  const [body] = bodies
  if (body === undefined || bodies.length > 1)
    throw new FileProblem(`there is no one element ${shape.body} in it.`, pathOf(document))
  const statements = elementsAt(body, shape.statement)
  if (statements.length === 0)
    throw new FileProblem(
      `it holds no ${shape.word} (no element ${shape.statement}), so there is nothing to take. Ask the bank for the whole message.`,
      pathOf(body),
    )
  const warnings: string[] = []
  const parsed: ParsedStatement[] = []
  for (const [index, statement] of statements.entries())
    parsed.push(readStatement(statement, { index, word: shape.word, before: parsed, warnings, entries }))
  return { format: shape.format, statements: parsed, warnings }
}

function readRoot(text: string, entries: EntryTaking): XmlElement {
  try {
    return readXml(text, { drain: { name: 'Ntry', take: entries.take } })
  } catch (error) {
    if (!(error instanceof XmlProblem)) throw error
    throw new FileProblem(WORDS[error.kind](error.detail), error.where)
  }
}

/** What an operator reads of a file that is no XML that is taken, with what the reader says of it. */
const WORDS: Readonly<Record<XmlProblemKind, (detail: string) => string>> = {
  DOCUMENT_TYPE: () =>
    'the file declares a document type; no bank needs one, and it is not taken. Ask the bank for the plain message.',
  MALFORMED: (said) => `this is not well-formed XML: ${said} Was the file cut off? Fetch it anew.`,
  TOO_MUCH: (what) => `the file holds ${what}, more than is read. Take smaller periods.`,
}

function findDocument(root: XmlElement): XmlElement {
  let level: readonly XmlElement[] = [root]
  for (let depth = 0; depth < ENVELOPES_MAX; depth += 1) {
    const found = level.find(({ name }) => name === 'Document')
    if (found !== undefined) return found
    level = level.flatMap((element) => [...element.children.values()].flat())
  }
  throw new FileProblem(
    `it holds no element Document: it is no ISO 20022 message. Statements are camt.053, notifications camt.054.`,
    pathOf(root),
  )
}

/** What the start tag of the document declares; the tree is without namespaces. */
const START_TAG = /<(?:[\w.-]{1,40}:)?Document(?:\s[^>]*)?>/

function shapeOf(document: XmlElement, text: string): Shape {
  const declared = declaredIn(text)
  if (declared === undefined) return shapeByBody(document)
  const { message, version } = declared
  const shape = message === 'camt.053' || message === 'camt.054' ? BODIES[message] : undefined
  if (shape === undefined)
    throw new FileProblem(OTHER_MESSAGES.get(message) ?? otherMessage(`this is ${message}`), pathOf(document))
  if (version >= VERSION_MIN) return shape
  throw new FileProblem(
    `this is version ${version} of ${message}; versions from ${VERSION_MIN} on are read. Ask the bank for a newer one.`,
    pathOf(document),
  )
}

function declaredIn(text: string): { readonly message: string; readonly version: number } | undefined {
  const [start = ''] = START_TAG.exec(text) ?? []
  const [, message, version] = MESSAGE.exec(start) ?? []
  return message === undefined ? undefined : { message, version: Number(version) }
}

/** Of a message without a namespace. */
function shapeByBody(document: XmlElement): Shape {
  const shape = Object.values(BODIES).find(({ body }) => document.children.has(body))
  if (shape !== undefined) return shape
  throw new FileProblem(otherMessage('its namespace names no message'), pathOf(document))
}

type Shape = (typeof BODIES)[keyof typeof BODIES]

const OTHER_MESSAGES: ReadonlyMap<string, string> = new Map([
  ['camt.052', 'this is camt.052, an intraday report: what it says is not final. Take camt.053 or camt.054.'],
])
const otherMessage = (what: string): string => `${what}; statements are camt.053 and notifications camt.054.`

interface Among {
  readonly entries: EntryTaking
  readonly index: number
  readonly word: string
  readonly before: readonly ParsedStatement[]
  readonly warnings: string[]
}

function readStatement(statement: XmlElement, among: Among): ParsedStatement {
  const { index, word, warnings } = among
  const bankName = textAt(statement, 'Id', 'ElctrncSeqNb', 'LglSeqNb')
  const label = `${word} ${index + 1}${bankName === undefined ? '' : ` (${bankName})`}`
  const account = readAccount(statement)
  const { entries, pendingCount } = among.entries.of(statement, { label, warnings })
  const { opening, closing, isFinal } = readBalances(statement)
  const currencyCode =
    currencyIn(statement) ??
    opening?.currencyCode ??
    closing?.currencyCode ??
    entries[0]?.currencyCode ??
    currencyOfAnyBalance(statement)
  if (currencyCode === undefined)
    throw new FileProblem(
      'nothing says the currency of the account: Acct/Ccy is missing, and there is no balance and no entry.',
      pathOf(statement),
    )
  return {
    label,
    where: pathOf(statement),
    account,
    currencyCode,
    bankName,
    entries,
    pendingCount,
    opening,
    closing,
    isFinal,
    isNotification: word === 'notification',
    pageOf: pageOf(statement, bankName, among),
  }
}

function currencyIn(statement: XmlElement): string | undefined {
  const said = textAt(statement, 'Acct/Ccy')
  if (said === undefined || /^[A-Z]{3}$/.test(said)) return said
  throw new FileProblem(
    `${JSON.stringify(said.slice(0, 20))} is no currency.`,
    `${pathOf(statement)}/Acct/Ccy`,
  )
}

/** Also of one that we do not look at otherwise, such as the available balance. */
function currencyOfAnyBalance(statement: XmlElement): string | undefined {
  return elementsAt(statement, 'Bal/Amt')
    .map(({ attributes }) => attributes.get('Ccy'))
    .find((currencyCode) => currencyCode !== undefined && /^[A-Z]{3}$/.test(currencyCode))
}

/** A page that is not the first belongs to the one before it of the same name. */
function pageOf(statement: XmlElement, bankName: string | undefined, { before }: Among): number | undefined {
  const page = textAt(statement, 'StmtPgntn/PgNb', 'NtfctnPgntn/PgNb')
  if (page === undefined || Number(page) <= 1 || bankName === undefined) return undefined
  const index = before.findIndex((earlier) => earlier.bankName === bankName)
  return index === -1 ? undefined : index
}

function readAccount(statement: XmlElement): NamedAccount {
  const given = textAt(statement, 'Acct/Id/IBAN', 'Acct/Id/Othr/Id')
  if (given === undefined)
    throw new FileProblem('nothing says which account it is of (Acct/Id).', pathOf(statement))
  const compact = given.replace(/\s/g, '').toUpperCase()
  if (looksLikeIban(compact)) return { iban: compact, text: given }
  const bankCode = textAt(
    statement,
    'Acct/Svcr/FinInstnId/ClrSysMmbId/MmbId',
    'Acct/Svcr/FinInstnId/BICFI',
    'Acct/Svcr/FinInstnId/BIC',
  )
  const bare = withoutCurrency(given, currencyIn(statement))
  const { accountNumber, bankCode: own } = partsOf(bare)
  const bank = bankCode ?? own
  return { accountNumber, ...(bank !== undefined && { bankCode: bank }), text: given }
}

/** Czech and Slovak banks write `number/bank code`, German ones the reverse, and others a number alone. */
function partsOf(text: string): { readonly accountNumber: string; readonly bankCode?: string } {
  const [, first, second] = /^([^/]+)\/(\w+)$/.exec(text) ?? []
  if (first === undefined || second === undefined) return { accountNumber: text }
  const isBankFirst = /^(?:\d{8}|[A-Z]{6}[A-Z0-9]{2,5})$/.test(first) && second.length > BANK_CODE_MAX
  return isBankFirst ? { accountNumber: second, bankCode: first } : { accountNumber: first, bankCode: second }
}

/** Of Czech and Slovak banks. */
const BANK_CODE_MAX = 4

/** Some banks write the currency behind the number of the account. */
function withoutCurrency(given: string, currencyCode: string | undefined): string {
  return currencyCode !== undefined && new RegExp(`\\d\\s?${currencyCode}$`).test(given)
    ? given.slice(0, -currencyCode.length).trimEnd()
    : given
}

/**
 * The booked balances; none unless both are there. A page in the middle has interim balances (ITBD) at its ends, and
 * some banks repeat yesterday's closing (PRCD) instead of an opening.
 */
function readBalances(statement: XmlElement): Pick<ParsedStatement, 'opening' | 'closing' | 'isFinal'> {
  const ofCode = (code: string): readonly XmlElement[] =>
    elementsAt(statement, 'Bal').filter((balance) => textAt(balance, 'Tp/CdOrPrtry/Cd') === code)
  const interim = ofCode('ITBD')
  const opening = ofCode('OPBD')[0] ?? ofCode('PRCD')[0] ?? interim[0]
  const final = ofCode('CLBD').at(-1)
  const closing = final ?? interim.at(-1)
  if (opening === undefined || closing === undefined || opening === closing)
    return { opening: undefined, closing: undefined, isFinal: false }
  return {
    opening: readBalance(opening),
    closing: readBalance(closing),
    isFinal: final !== undefined,
  }
}

function readBalance(balance: XmlElement): ParsedBalance {
  const where = pathOf(balance)
  const { amount, currencyCode } = readMoney(balance, 'Amt')
  const on = textAt(balance, 'Dt/Dt', 'Dt/DtTm')
  return {
    amount: directionOf(balance) === 'CREDIT' ? amount : negateAmount(amount),
    currencyCode,
    on: on === undefined ? undefined : dayOf(on, where),
    where,
  }
}

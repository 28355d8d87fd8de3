import { escapeXml } from '../../platform/xml/index.ts'
import type { Creditor, DebtorAccount, FileContent, FileTransfer } from './model.ts'
import { sepaText } from './sepa-text.ts'

/** What differs between the versions of the message. */
interface Version {
  readonly namespace: string
  readonly bic: 'BIC' | 'BICFI'
  /** What the version's schema takes for one. */
  readonly bicPattern: RegExp
  readonly isDateWrapped: boolean
}

const VERSIONS: Readonly<Record<FileContent['format'], Version>> = {
  PAIN_001_001_03: {
    namespace: 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.03',
    bic: 'BIC',
    bicPattern: /^[A-Z]{6}[A-Z2-9][A-NP-Z0-9](?:[A-Z0-9]{3})?$/,
    isDateWrapped: false,
  },
  PAIN_001_001_09: {
    namespace: 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09',
    bic: 'BICFI',
    bicPattern: /^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/,
    isDateWrapped: true,
  },
}

/** Texts, and elements that were written already. */
type Inner = string | readonly string[]

/** An element; of several inner ones, those that are empty are left out. */
const element = (name: string, inner: Inner, attributes = ''): string =>
  `<${name}${attributes}>${typeof inner === 'string' ? escapeXml(inner) : inner.join('')}</${name}>`

/** The id of the one batch of a file. */
export const batchIdOf = (fileId: string): string => `${fileId}-1`

/** The file's text: a customer credit transfer initiation (pain.001) with one batch, debited once per payment. */
export function pain001(content: FileContent): string {
  const version = VERSIONS[content.format]
  const document = element(
    'Document',
    [element('CstmrCdtTrfInitn', [groupHeader(content), batch(content, version)])],
    ` xmlns="${version.namespace}"`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n${document}\n`
}

function groupHeader({ fileId, createdAt, transfers, controlSum, debtor }: FileContent): string {
  return element('GrpHdr', [
    element('MsgId', fileId),
    element('CreDtTm', `${createdAt.toISOString().slice(0, 19)}Z`),
    element('NbOfTxs', String(transfers.length)),
    element('CtrlSum', controlSum),
    element('InitgPty', [element('Nm', debtor.holder)]),
  ])
}

function batch(content: FileContent, version: Version): string {
  const { fileId, transfers, controlSum, debtor, executionOn: day } = content
  const isSepa = content.currencyCode === 'EUR'
  return element('PmtInf', [
    element('PmtInfId', batchIdOf(fileId)),
    element('PmtMtd', 'TRF'),
    // One line of the statement per payment, so that each of them is found there.
    element('BtchBookg', 'false'),
    element('NbOfTxs', String(transfers.length)),
    element('CtrlSum', controlSum),
    ...(isSepa ? [paymentType(content)] : []),
    element('ReqdExctnDt', version.isDateWrapped ? [element('Dt', day)] : day),
    element('Dbtr', [element('Nm', debtor.holder), ...postalAddress(debtor)]),
    element('DbtrAcct', [accountId(debtor), element('Ccy', content.currencyCode)]),
    element('DbtrAgt', agent(debtor, version)),
    element('ChrgBr', isSepa ? 'SLEV' : 'SHAR'),
    ...transfers.map((transfer) => transaction(transfer, version)),
  ])
}

function paymentType({ speed }: FileContent): string {
  const level = element('SvcLvl', [element('Cd', 'SEPA')])
  return element('PmtTpInf', [
    level,
    ...(speed === 'INSTANT' ? [element('LclInstrm', [element('Cd', 'INST')])] : []),
  ])
}

/** What an address says, in the order of the schemas, and in how many characters. Free lines are not taken any more. */
const ADDRESS_ELEMENTS = [
  ['StrtNm', 'street', 70],
  ['BldgNb', 'buildingNumber', 16],
  ['PstCd', 'postalCode', 16],
  ['TwnNm', 'town', 35],
  ['Ctry', 'countryCode', 2],
] as const

/** Of who pays, where it is known; banks ask for it when the money leaves the European Economic Area. */
function postalAddress({ address }: DebtorAccount): readonly string[] {
  if (address.town === undefined || address.countryCode === undefined) return []
  const parts = ADDRESS_ELEMENTS.flatMap(([name, part, charactersMax]) => {
    const text = sepaText(address[part] ?? '', charactersMax)
    return text === '' ? [] : [element(name, text)]
  })
  return [element('PstlAdr', parts)]
}

function transaction({ reference, money, creditor }: FileTransfer, version: Version): string {
  const hasAgent = creditor.bic !== undefined || creditor.bankCode !== undefined
  return element('CdtTrfTxInf', [
    element('PmtId', [element('EndToEndId', reference)]),
    element('Amt', [element('InstdAmt', money.amount, ` Ccy="${money.currencyCode}"`)]),
    ...(hasAgent ? [element('CdtrAgt', agent(creditor, version))] : []),
    element('Cdtr', [element('Nm', creditor.name)]),
    element('CdtrAcct', [accountId(creditor)]),
    element('RmtInf', [element('Ustrd', reference)]),
  ])
}

function accountId({
  iban,
  accountNumber,
}: Pick<DebtorAccount | Creditor, 'iban' | 'accountNumber'>): string {
  const id =
    iban === undefined ? element('Othr', [element('Id', accountNumber ?? '')]) : element('IBAN', iban)
  return element('Id', [id])
}

/** A bank by its BIC, else by its code, else by its account's IBAN alone. */
function agent(
  { bic, bankCode }: Pick<DebtorAccount | Creditor, 'bic' | 'bankCode'>,
  { bic: name, bicPattern }: Version,
): readonly string[] {
  if (bic !== undefined && bicPattern.test(bic)) return [element('FinInstnId', [element(name, bic)])]
  if (bankCode !== undefined)
    return [element('FinInstnId', [element('ClrSysMmbId', [element('MmbId', bankCode)])])]
  return [element('FinInstnId', [element('Othr', [element('Id', 'NOTPROVIDED')])])]
}

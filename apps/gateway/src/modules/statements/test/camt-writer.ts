import { type Amount, isNegative, negateAmount, parsePlainAmount, sumAmounts } from '@tollgate/money'

/** A transaction within an entry. */
interface WrittenPart {
  readonly amount?: string
  readonly text?: string
  readonly structured?: string
  readonly endToEndId?: string
  readonly name?: string
  readonly iban?: string
}

/** A booking to be written. Below zero: money that goes. */
export interface WrittenEntry extends WrittenPart {
  readonly amount: string
  readonly status?: 'BOOK' | 'PDNG'
  readonly bookedOn?: string
  readonly bankReference?: string
  readonly isReversal?: boolean
  readonly charge?: string
  readonly parts?: readonly WrittenPart[]
}

interface WrittenStatement {
  readonly id?: string
  readonly iban?: string
  readonly currencyCode?: string
  readonly opening?: string
  /** What the entries make of the opening, unless it is given. */
  readonly closing?: string
  readonly entries: readonly WrittenEntry[]
}

export interface WrittenFile {
  readonly message?: '053' | '054'
  readonly version?: '02' | '04' | '08'
  readonly statements: readonly WrittenStatement[]
}

export const OWN_IBAN = 'DE89370400440532013000'
const DAY = '2026-11-20'
const MOMENT = '2026-11-20T18:00:00+00:00'

/** The text of a camt file, as its official schema wants it. */
export function writeCamt({ message = '053', version = '08', statements }: WrittenFile): string {
  const [body, inner] = message === '053' ? ['BkToCstmrStmt', 'Stmt'] : ['BkToCstmrDbtCdtNtfctn', 'Ntfctn']
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.${message}.001.${version}"><${body}>
<GrpHdr><MsgId>M1</MsgId><CreDtTm>${MOMENT}</CreDtTm></GrpHdr>
${statements.map((each, index) => writeStatement(each, { inner, version, number: index + 1 })).join('\n')}
</${body}></Document>`
}

function writeStatement(
  { id, iban = OWN_IBAN, currencyCode = 'EUR', opening = '0', closing, entries }: WrittenStatement,
  { inner, version, number }: { readonly inner: string; readonly version: string; readonly number: number },
): string {
  const booked = entries.filter(({ status }) => status !== 'PDNG')
  const end =
    closing === undefined
      ? sumAmounts([opening, ...booked.map(({ amount }) => amount)].map(parsePlainAmount))
      : parsePlainAmount(closing)
  const balances =
    inner === 'Stmt'
      ? `${writeBalance('OPBD', parsePlainAmount(opening), currencyCode)}${writeBalance('CLBD', end, currencyCode)}`
      : ''
  return `<${inner}><Id>${id ?? `S${number}`}</Id><CreDtTm>${MOMENT}</CreDtTm><Acct><Id><IBAN>${iban}</IBAN></Id><Ccy>${currencyCode}</Ccy></Acct>
${balances}${entries.map((entry) => writeEntry(entry, { currencyCode, version })).join('\n')}</${inner}>`
}

const sign = (amount: Amount): string => (isNegative(amount) ? 'DBIT' : 'CRDT')
const bare = (amount: Amount): Amount => (isNegative(amount) ? negateAmount(amount) : amount)

const writeBalance = (code: string, amount: Amount, currencyCode: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="${currencyCode}">${bare(amount)}</Amt><CdtDbtInd>${sign(amount)}</CdtDbtInd><Dt><Dt>${DAY}</Dt></Dt></Bal>`

interface How {
  readonly currencyCode: string
  readonly version: string
}

function writeEntry(entry: WrittenEntry, how: How): string {
  const amount = parsePlainAmount(entry.amount)
  const { status = 'BOOK', bookedOn = DAY, bankReference, isReversal, charge, parts } = entry
  const { currencyCode, version } = how
  const charges =
    charge === undefined || version === '02'
      ? ''
      : `<Chrgs><TtlChrgsAndTaxAmt Ccy="${currencyCode}">${charge}</TtlChrgsAndTaxAmt></Chrgs>`
  const details = (parts ?? [entry]).map((part) => writePart(part, { ...how, isCredit: !isNegative(amount) }))
  return `<Ntry><Amt Ccy="${currencyCode}">${bare(amount)}</Amt><CdtDbtInd>${sign(amount)}</CdtDbtInd>${
    isReversal === true ? '<RvslInd>true</RvslInd>' : ''
  }<Sts>${version === '08' ? `<Cd>${status}</Cd>` : status}</Sts><BookgDt><Dt>${bookedOn}</Dt></BookgDt>${
    bankReference === undefined ? '' : `<AcctSvcrRef>${bankReference}</AcctSvcrRef>`
  }<BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>RCDT</Cd><SubFmlyCd>ESCT</SubFmlyCd></Fmly></Domn></BkTxCd>${charges}<NtryDtls>${details.join('')}</NtryDtls></Ntry>`
}

function writePart(part: WrittenPart, how: How & { readonly isCredit: boolean }): string {
  const { amount, text, structured, endToEndId, name, iban } = part
  const bareAmount = amount === undefined ? undefined : bare(parsePlainAmount(amount))
  const money = `<Amt Ccy="${how.currencyCode}">${bareAmount ?? ''}</Amt>`
  const amounts =
    bareAmount === undefined
      ? ''
      : how.version === '02'
        ? `<AmtDtls><TxAmt>${money}</TxAmt></AmtDtls>`
        : `${money}<CdtDbtInd>${how.isCredit ? 'CRDT' : 'DBIT'}</CdtDbtInd>`
  const remittance = `${text === undefined ? '' : `<Ustrd>${escaped(text)}</Ustrd>`}${
    structured === undefined
      ? ''
      : `<Strd><CdtrRefInf><Tp><CdOrPrtry><Cd>SCOR</Cd></CdOrPrtry></Tp><Ref>${escaped(structured)}</Ref></CdtrRefInf></Strd>`
  }`
  return `<TxDtls><Refs><EndToEndId>${escaped(endToEndId ?? 'NOTPROVIDED')}</EndToEndId></Refs>${amounts}${writeParty({ name, iban }, how)}${
    remittance === '' ? '' : `<RmtInf>${remittance}</RmtInf>`
  }</TxDtls>`
}

function writeParty(
  { name, iban }: { readonly name: string | undefined; readonly iban: string | undefined },
  { isCredit, version }: { readonly isCredit: boolean; readonly version: string },
): string {
  if (name === undefined && iban === undefined) return ''
  const role = isCredit ? 'Dbtr' : 'Cdtr'
  const named = `<Nm>${escaped(name ?? '')}</Nm>`
  const party =
    name === undefined ? '' : `<${role}>${version === '08' ? `<Pty>${named}</Pty>` : named}</${role}>`
  const account = iban === undefined ? '' : `<${role}Acct><Id><IBAN>${iban}</IBAN></Id></${role}Acct>`
  return `<RltdPties>${party}${account}</RltdPties>`
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

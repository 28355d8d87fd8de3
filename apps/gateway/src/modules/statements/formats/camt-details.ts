import { elementsAt, textAt, textsAt, type XmlElement } from '../../../platform/xml/index.ts'
import { detailsOf, type ParsedEntry, type PartDetails } from './parsed.ts'
import { realReference, realReferences } from './references.ts'
import { symbolsIn } from './symbols.ts'

type Movement = Pick<ParsedEntry, 'direction' | 'isReversal'>

/** What a transaction of an entry says. */
export function readDetails(entry: XmlElement, transaction: XmlElement, movement: Movement): PartDetails {
  const endToEndId = realReference(textAt(transaction, 'Refs/EndToEndId'))
  const texts = [
    ...textsAt(transaction, 'RmtInf/Ustrd', 'RmtInf/Strd/AddtlRmtInf', 'AddtlTxInf'),
    ...textsAt(transaction, 'RtrInf/Rsn/Cd', 'RtrInf/AddtlInf'),
    ...textsAt(entry, 'AddtlNtryInf'),
  ]
  const structured = textsAt(transaction, 'RmtInf/Strd/CdtrRefInf/Ref', 'RmtInf/Strd/RfrdDocInf/Nb')
  const transferReferences = [
    ...textsAt(transaction, 'Refs/TxId', 'Refs/UETR', 'Refs/AcctSvcrRef', 'Refs/ClrSysRef'),
    ...elementsAt(transaction, 'Refs/Prtry')
      .filter(isOfTransfer)
      .flatMap((each) => textsAt(each, 'Ref')),
  ]
  // A mandate, a cheque or an order of the payer's is the same for many transfers, or known to others.
  const references = [
    ...transferReferences,
    ...textsAt(transaction, 'Refs/InstrId', 'Refs/MndtId', 'Refs/ChqNb', 'Refs/Prtry/Ref', 'Refs/PmtInfId'),
    ...textsAt(entry, 'NtryRef'),
  ]
  return detailsOf({
    ...partyOf(transaction, movement),
    ...symbolsIn([endToEndId ?? '', ...structured, ...texts]),
    endToEndId,
    references: distinct(realReferences(references)),
    transferReferences: distinct(realReferences(transferReferences)),
    structuredReferences: distinct(realReferences(structured)),
    texts: distinct(texts),
  })
}

/** India: the unique transaction reference, or the retrieval reference number of instant payments. */
const isOfTransfer = (proprietary: XmlElement): boolean =>
  /^(?:UTR|RRN)\b/i.test(textAt(proprietary, 'Tp')?.trim() ?? '')

/** What an entry says that is taken as a whole: everything that any of its transactions says. */
export function mergedDetails(
  entry: XmlElement,
  transactions: readonly XmlElement[],
  movement: Movement,
): PartDetails {
  const [first, ...others] = (transactions.length === 0 ? [entry] : transactions).map((transaction) =>
    readDetails(entry, transaction, movement),
  )
  if (first === undefined || others.length === 0) return first ?? {}
  const all = [first, ...others]
  const gathered = (
    member: 'references' | 'transferReferences' | 'structuredReferences' | 'texts',
  ): readonly string[] => distinct(all.flatMap((details) => details[member] ?? []))
  const ids = distinct(all.flatMap(({ endToEndId }) => endToEndId ?? []))
  return detailsOf({
    ...(ids.length === 1 && { endToEndId: ids[0] }),
    references: [...gathered('references'), ...(ids.length > 1 ? ids : [])],
    transferReferences: [...gathered('transferReferences'), ...(ids.length > 1 ? ids : [])],
    structuredReferences: gathered('structuredReferences'),
    texts: gathered('texts'),
  })
}

const distinct = (texts: readonly string[]): readonly string[] => [...new Set(texts)]

const ROLES = { payer: 'Dbtr', payee: 'Cdtr' } as const

/** Who is at the other end. A reversal keeps the roles of what it takes back. Some banks name the wrong side only. */
function partyOf(transaction: XmlElement, { direction, isReversal }: Movement): PartDetails {
  const isIncoming = (direction === 'CREDIT') !== isReversal
  const [role, other] = isIncoming ? [ROLES.payer, ROLES.payee] : [ROLES.payee, ROLES.payer]
  const party = partyIn(transaction, role)
  return Object.keys(party).length > 0 ? party : partyIn(transaction, other)
}

function partyIn(transaction: XmlElement, role: (typeof ROLES)[keyof typeof ROLES]): PartDetails {
  const agent = `RltdAgts/${role}Agt/FinInstnId`
  return detailsOf({
    partyName: textAt(
      transaction,
      `RltdPties/${role}/Nm`,
      `RltdPties/${role}/Pty/Nm`,
      `RltdPties/Ultmt${role}/Nm`,
      `RltdPties/Ultmt${role}/Pty/Nm`,
    ),
    partyAccount: textAt(
      transaction,
      `RltdPties/${role}Acct/Id/IBAN`,
      `RltdPties/${role}Acct/Id/Othr/Id`,
    )?.replace(/\s/g, ''),
    partyBank: textAt(
      transaction,
      `${agent}/BICFI`,
      `${agent}/BIC`,
      `${agent}/ClrSysMmbId/MmbId`,
      `${agent}/Nm`,
    ),
  })
}

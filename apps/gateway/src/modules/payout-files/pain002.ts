import { type Amount, type Money, parseAmount } from '@tollgate/money'
import { decodeXml, EncodingProblem } from '../../platform/encodings.ts'
import { elementsAt, pathOf, readXml, textAt, type XmlElement, XmlProblem } from '../../platform/xml/index.ts'
import { PayoutFileProblem } from './errors.ts'
import type {
  ReportedBatch,
  ReportedStatus,
  ReportedTotals,
  ReportedTransaction,
  StatusReport,
} from './model.ts'

const TEXT_MAX = 140
const CODE_MAX = 35
/** A file of ours has far fewer payments. What a report comes to is judged and stored beside requests. */
const TRANSACTIONS_MAX = 50_000

/** Reads a status report (pain.002, of any version). Throws PayoutFileProblem for anything else. */
export function readPain002(bytes: Uint8Array): StatusReport {
  const document = rootOf(bytes)
  const report = elementsAt(document, 'CstmrPmtStsRpt')[0] ?? elementsAt(document, 'pain.002.001.02')[0]
  if (document.name !== 'Document' || report === undefined)
    throw new PayoutFileProblem(
      'This is no status report: a pain.002 has Document and CstmrPmtStsRpt at its head.',
    )
  const group = elementsAt(report, 'OrgnlGrpInfAndSts')[0]
  const originalMessageId = group && textAt(group, 'OrgnlMsgId')
  if (group === undefined || originalMessageId === undefined)
    throw new PayoutFileProblem('The status report does not say which file it is about (OrgnlMsgId).')
  return {
    messageId: (textAt(report, 'GrpHdr/MsgId') ?? 'NOTPROVIDED').slice(0, TEXT_MAX),
    originalMessageId: originalMessageId.slice(0, TEXT_MAX),
    ...totalsOf(group),
    status: statusOf(group, 'GrpSts'),
    batches: batchesOf(report),
  }
}

function rootOf(bytes: Uint8Array): XmlElement {
  try {
    return readXml(decodeXml(bytes))
  } catch (error) {
    if (error instanceof XmlProblem)
      throw new PayoutFileProblem(`The status report cannot be read. ${error.message}`)
    if (error instanceof EncodingProblem)
      throw new PayoutFileProblem(`The letters of the status report cannot be read: ${error.message}`)
    throw error
  }
}

function batchesOf(report: XmlElement): readonly ReportedBatch[] {
  const batches = elementsAt(report, 'OrgnlPmtInfAndSts')
  const count = batches.reduce((sum, batch) => sum + elementsAt(batch, 'TxInfAndSts').length, 0)
  if (count > TRANSACTIONS_MAX)
    throw new PayoutFileProblem(
      `The status report is about ${count} transactions, and at most ${TRANSACTIONS_MAX} are read at once. Ask the bank for one report per file.`,
    )
  return batches.map(readBatch)
}

function readBatch(batch: XmlElement): ReportedBatch {
  return {
    paymentInformationId: textAt(batch, 'OrgnlPmtInfId'),
    ...totalsOf(batch),
    status: statusOf(batch, 'PmtInfSts'),
    transactions: elementsAt(batch, 'TxInfAndSts').map(readTransaction),
  }
}

function readTransaction(transaction: XmlElement): ReportedTransaction {
  return {
    endToEndId: textAt(transaction, 'OrgnlEndToEndId')?.slice(0, TEXT_MAX),
    status: statusOf(transaction, 'TxSts'),
    money: moneyOf(transaction),
  }
}

const totalsOf = (element: XmlElement): ReportedTotals => ({
  paymentCount: countOf(elementsAt(element, 'OrgnlNbOfTxs')[0]),
  controlSum: amountOf(elementsAt(element, 'OrgnlCtrlSum')[0]),
})

/** The status with the first reason that has a code. */
function statusOf(element: XmlElement, name: string): ReportedStatus | undefined {
  const statusCode = textAt(element, name)
  if (statusCode === undefined) return undefined
  const reasonCode = textAt(element, 'StsRsnInf/Rsn/Cd', 'StsRsnInf/Rsn/Prtry')
  return { statusCode: statusCode.slice(0, CODE_MAX), reasonCode: reasonCode?.slice(0, CODE_MAX) }
}

function moneyOf(transaction: XmlElement): Money | undefined {
  const [instructed] = elementsAt(transaction, 'OrgnlTxRef/Amt/InstdAmt')
  const currencyCode = instructed?.attributes.get('Ccy')
  const amount = amountOf(instructed)
  if (instructed === undefined || amount === undefined) return undefined
  if (currencyCode === undefined)
    throw new PayoutFileProblem(`${pathOf(instructed)} of the status report has no currency (Ccy).`)
  return { amount, currencyCode }
}

/** What is said is checked: what cannot be read is no reason to skip the check. */
function amountOf(element: XmlElement | undefined): Amount | undefined {
  if (element === undefined) return undefined
  return parseAmount(element.text) ?? unreadable(element, 'no amount such as 149.90')
}

function countOf(element: XmlElement | undefined): number | undefined {
  if (element === undefined) return undefined
  return /^\d{1,15}$/.test(element.text)
    ? Number(element.text)
    : unreadable(element, 'no number of transactions')
}

function unreadable(element: XmlElement, what: string): never {
  throw new PayoutFileProblem(
    `${pathOf(element)} of the status report is ${what}: ${JSON.stringify(element.text.slice(0, CODE_MAX))}. Ask the bank for a right one.`,
  )
}

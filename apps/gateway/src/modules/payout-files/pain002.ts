import { type Amount, type Money, parseAmount } from '@tollgate/money'
import { elementsAt, readXml, textAt, type XmlElement, XmlProblem } from '../../platform/xml/index.ts'
import { PayoutFileProblem } from './errors.ts'
import type { ReportedBatch, ReportedStatus, ReportedTransaction, StatusReport } from './model.ts'

const TEXT_MAX = 140
const CODE_MAX = 35

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
    paymentCount: countOf(textAt(group, 'OrgnlNbOfTxs')),
    controlSum: amountOf(textAt(group, 'OrgnlCtrlSum')),
    status: statusOf(group, 'GrpSts'),
    batches: elementsAt(report, 'OrgnlPmtInfAndSts').map(readBatch),
  }
}

function rootOf(bytes: Uint8Array): XmlElement {
  try {
    return readXml(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    if (error instanceof XmlProblem)
      throw new PayoutFileProblem(`The status report cannot be read. ${error.message}`)
    if (error instanceof TypeError) throw new PayoutFileProblem('The status report is not in UTF-8.')
    throw error
  }
}

function readBatch(batch: XmlElement): ReportedBatch {
  return {
    paymentInformationId: textAt(batch, 'OrgnlPmtInfId'),
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
  const amount = amountOf(instructed?.text)
  return amount === undefined || currencyCode === undefined ? undefined : { amount, currencyCode }
}

const amountOf = (text: string | undefined): Amount | undefined =>
  text === undefined ? undefined : parseAmount(text)

const countOf = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined

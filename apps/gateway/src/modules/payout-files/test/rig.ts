import { parsePlainAmount } from '@tollgate/money'
import { type Clock, randomIds, systemClock } from '@tollgate/runtime'
import { createLog } from '@tollgate/runtime/log'
import type { TestLife } from '@tollgate/testkit'
import { createBankTransferRail } from '../../../rails/bank-transfer/index.ts'
import { verifyBooks } from '../../../rooms/books.ts'
import { openShop, type Shop } from '../../../test/support/shop.ts'
import {
  type BankDays,
  createBankAccountAdministration,
  listBankAccounts,
  seedSandboxBankAccounts,
} from '../../bank-accounts/index.ts'
import { type Payment, type PaymentKey, readRequest } from '../../payments/index.ts'
import { contentHashOf } from '../../payouts/index.ts'
import {
  createPayoutFileService,
  createPayoutReportService,
  type FileChannels,
  type PayoutFileService,
  type PayoutReportService,
  type ReportView,
} from '../index.ts'

const RAIL = 'bank-transfer'
export const ACTOR = 'operator:ada'
const IBAN = 'NL91ABNA0417164300'

/** A shop whose bank transfers go by files, with money to pay out. */
export interface Rig extends Shop {
  readonly files: PayoutFileService
  readonly reports: PayoutReportService
  /** Another process: the same rooms once more. */
  open(given?: {
    readonly folder?: string
    readonly paymentsPerFileMax?: number
    readonly channels?: FileChannels
    readonly clock?: Clock
    readonly days?: BankDays
  }): PayoutFileService
  /** Accepts a payout and gives its key. */
  payOut(given?: PayoutGiven): Promise<PaymentKey>
  /** From now on, payouts by bank transfer go at once where they can. */
  allowInstant(instantMax: string): Promise<void>
  read(key: PaymentKey): Promise<Payment>
  /** Hands a report in. */
  take(text: string): Promise<ReportView>
  /** Available and reserved in EUR. */
  holdings(): Promise<readonly unknown[]>
  booksFindings(): Promise<readonly unknown[]>
}

interface PayoutGiven {
  readonly amount?: number
  readonly currencyCode?: string
  readonly accountName?: string
  readonly accountNumber?: string
  readonly bankCode?: string
  readonly needsApproval?: boolean
}

export async function openRig(t: TestLife): Promise<Rig> {
  const shop = await openShop(t, {
    rail: createBankTransferRail({
      accountFor: (currencyCode) => ({
        currencyCode,
        holder: 'House',
        bankName: 'Bank',
        address: {},
        accountNumber: '1',
        bankCode: '2',
        payoutFormat: 'x',
      }),
    }),
    prepare: ({ sql }) => sql(`update payment_methods set rail = '${RAIL}' where rail = 'sandbox'`),
  })
  await seedSandboxBankAccounts(shop.db)
  await shop.fund('1000000', 'EUR')
  const needs = {
    db: shop.db,
    secrets: shop.secrets,
    payments: shop.payments,
    rail: RAIL,
    contentHashOf,
    clock: systemClock,
    ids: randomIds,
    log: createLog({ level: 'silent' }),
  }
  const open: Rig['open'] = (given) =>
    createPayoutFileService({
      ...needs,
      folder: undefined,
      instantMethods: () => instantMethods,
      ...given,
    })
  const reports = createPayoutReportService(needs)
  let payouts = 0
  let instantMethods: readonly string[] = []
  return {
    ...shop,
    files: open(),
    reports,
    open,
    async payOut(given = {}) {
      payouts += 1
      const key: PaymentKey = {
        merchantId: shop.merchantId,
        kind: 'PAYOUT',
        idPayment: `OUT-${String(payouts)}`,
      }
      await shop.intake.create({
        caller: shop.caller,
        key,
        direction: 'PAYOUT',
        request: readRequest(shop.caller, bodyOf(given)),
        ...(given.needsApproval === true && { needsApproval: true }),
      })
      return key
    },
    async allowInstant(instantMax) {
      instantMethods = ['BANK_TRANSFER']
      await createBankAccountAdministration(shop).set('SANDBOX_EUR', {
        instantMax: parsePlainAmount(instantMax),
      })
    },
    async read(key) {
      const payment = await shop.payments.find(key)
      if (payment === undefined) throw new Error(`${key.idPayment} is not there`)
      return payment
    },
    take: (text) => reports.take({ bytes: Buffer.from(text), fileName: 'status.xml', actor: ACTOR }),
    async holdings() {
      const [row] = await shop.sql(
        `select trim_scale(available)::text as available, trim_scale(reserved)::text as reserved from balances where currency_code = 'EUR'`,
      )
      return [row?.['available'], row?.['reserved']]
    },
    booksFindings: async () => (await verifyBooks(shop.db)).findings,
  }
}

function bodyOf(given: PayoutGiven) {
  const { accountName = 'Ada Lovelace', accountNumber = IBAN, bankCode } = given
  return {
    requestedField: 'paymentRequested',
    requested: { money: { amount: given.amount ?? 100, currencyCode: given.currencyCode ?? 'EUR' } },
    paymentMethod: {
      paymentMethodCode: 'BANK_TRANSFER',
      account: { accountName, accountNumber, ...(bankCode !== undefined && { bankCode }) },
    },
    callbackUrl: 'https://shop.example/callbacks',
  }
}

/** Retires the account of a currency. */
export async function retireAccount({ db }: Rig, currencyCode: string): Promise<void> {
  const account = (await listBankAccounts(db)).find((each) => each.currencyCode === currencyCode)
  await createBankAccountAdministration({ db }).retire(account?.code ?? '')
}

/** What a bank says about a file: lines of its report. */
export interface Said {
  readonly group?: string
  readonly count?: number
  readonly sum?: string
  readonly batchId?: string
  readonly batch?: string
  readonly batchCount?: number
  readonly batchSum?: string
  /** Reference, status, reason, and the amount that is repeated. */
  readonly lines?: readonly (readonly [string, string, (string | undefined)?, (string | undefined)?])[]
  readonly messageId?: string
}

/** A pain.002 as banks write it. */
export function pain002(fileId: string, said: Said): string {
  const status = (name: string, code: string | undefined): string =>
    code === undefined ? '' : `<${name}>${code}</${name}>`
  const lines = (said.lines ?? []).map(
    ([reference, code, reason, amount]) => `<TxInfAndSts><OrgnlEndToEndId>${reference}</OrgnlEndToEndId>
      ${status('TxSts', code)}${reason === undefined ? '' : `<StsRsnInf><Rsn><Cd>${reason}</Cd></Rsn></StsRsnInf>`}
      ${amount === undefined ? '' : `<OrgnlTxRef><Amt><InstdAmt Ccy="EUR">${amount}</InstdAmt></Amt></OrgnlTxRef>`}</TxInfAndSts>`,
  )
  const hasBatch = said.batch !== undefined || lines.length > 0
  return `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.002.001.03"><CstmrPmtStsRpt>
  <GrpHdr><MsgId>${said.messageId ?? 'BANK-1'}</MsgId><CreDtTm>2026-11-21T12:00:00Z</CreDtTm></GrpHdr>
  <OrgnlGrpInfAndSts><OrgnlMsgId>${fileId}</OrgnlMsgId><OrgnlMsgNmId>pain.001.001.09</OrgnlMsgNmId>
    ${status('OrgnlNbOfTxs', said.count?.toString())}${status('OrgnlCtrlSum', said.sum)}${status('GrpSts', said.group)}</OrgnlGrpInfAndSts>
  ${hasBatch ? `<OrgnlPmtInfAndSts><OrgnlPmtInfId>${said.batchId ?? `${fileId}-1`}</OrgnlPmtInfId>${status('OrgnlNbOfTxs', said.batchCount?.toString())}${status('OrgnlCtrlSum', said.batchSum)}${status('PmtInfSts', said.batch)}${lines.join('')}</OrgnlPmtInfAndSts>` : ''}
</CstmrPmtStsRpt></Document>`
}

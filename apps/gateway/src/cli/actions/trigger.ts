import { createMerchantService } from '../../modules/merchants/index.ts'
import { type Payment, type TriggerOutcome, triggerOutcome } from '../../modules/payments/index.ts'
import { randomIds } from '../../platform/ids.ts'
import { readDemoMerchant } from '../demo-merchant.ts'
import { CommandFailure } from '../failure.ts'
import { type House, inHouse } from '../house.ts'
import type { Report, Shell } from '../shell.ts'
import { servicePayments } from './payments.ts'

interface Wish {
  readonly kind: 'payin' | 'payout' | 'topup'
  readonly outcome: TriggerOutcome
  readonly id: string
  readonly merchant?: string
}

const KINDS = { payin: 'PAYIN', payout: 'PAYOUT', topup: 'TOPUP' } as const

/** `tollgate trigger`: an institution says something about a payment, as if it had happened there. */
export function trigger(shell: Shell, wish: Wish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const merchantCode = wish.merchant ?? readDemoMerchant(house.config)?.merchantCode
    if (merchantCode === undefined)
      throw new CommandFailure('USAGE', 'This installation has no demo merchant: name one by --merchant.')
    refuseLive(house)
    const { merchant } = await createMerchantService({ ...house, ids: randomIds }).show(merchantCode)
    const key = { merchantId: merchant.merchantId, kind: KINDS[wish.kind], idPayment: wish.id }
    const payments = servicePayments(shell, house)
    const what = `${merchantCode} has no ${wish.kind} ${wish.id}.`
    const before = known(await payments.find(key), what)
    if (!before.isTest) throw onlySandbox()
    const triggered = await triggerOutcome({ ...house, payments }, before, wish.outcome)
    const after = known(await payments.find(key), what)
    const name = `The ${wish.kind} ${wish.id}`
    if (triggered.kind === 'REFUSED')
      throw new CommandFailure('REFUSED', `${name} cannot become ${wish.outcome}: ${triggered.why}.`)
    const state = `${after.status} (${after.processorStatus})`
    const remark = triggered.kind === 'IN_REVIEW' ? `: ${triggered.why}` : ''
    return {
      json: {
        merchantCode,
        kind: after.kind,
        idPayment: wish.id,
        outcome: wish.outcome,
        result: triggered.kind,
        status: after.status,
        processorStatus: after.processorStatus,
        why: triggered.kind === 'IN_REVIEW' ? triggered.why : null,
      },
      text: `${name} is ${triggered.kind === 'SAME' ? 'already ' : ''}${state}${remark}.`,
    }
  })
}

function known(payment: Payment | undefined, sentence: string): Payment {
  if (payment === undefined) throw new CommandFailure('NOT_FOUND', sentence)
  return payment
}

/** Before anything is looked up: in live this command has nothing to do. */
function refuseLive({ config }: House): void {
  if (config.isLive) throw onlySandbox()
}

const onlySandbox = (): CommandFailure =>
  new CommandFailure(
    'REFUSED',
    'This works in the sandbox alone: what happens to real money, institutions say.',
  )

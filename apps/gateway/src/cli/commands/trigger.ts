import type { Printed, TriggeredSchema } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { type OperatorOptions, pathOf } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { idPayment, oneOf } from '../values.ts'

const KINDS = ['payin', 'payout', 'topup'] as const
const OUTCOMES = [
  'paid',
  'declined',
  'cancelled',
  'expired',
  'partial',
  'over',
  'late',
  'unknown',
  'returned',
] as const

/** Making things happen to payments of the sandbox. */
const trigger = clientCommand({
  command: 'trigger <kind> <outcome> <id>',
  says: `simulate an outcome in the sandbox: ${OUTCOMES.join(', ')}`,
  options: [
    { flags: '--merchant <code>', says: 'merchant of the payment; default: the sandbox’s demo merchant' },
  ],
  permission: 'payments.trigger',
  async asks(typed, { merchant, url }: OperatorOptions & { readonly merchant?: string }, shell) {
    const kind = oneOf('<kind>', KINDS)(typed.kind).toUpperCase()
    const outcome = oneOf('<outcome>', OUTCOMES)(typed.outcome)
    const id = idPayment(typed.id)
    const merchantCode = (await merchantOf(shell, { merchant, url })) ?? noMerchant()
    return {
      method: 'POST',
      path: pathOf`/operator/payments/${kind}/${merchantCode}/${id}/!trigger`,
      body: { outcome },
    }
  },
  shows: ({ result, status, processorStatus, why }: Printed<typeof TriggeredSchema>, _pen, typed) =>
    `The ${typed.kind.toLowerCase()} ${typed.id} is ${result === 'SAME' ? 'already ' : ''}${status} (${processorStatus})${
      why === undefined ? '' : `: ${why}`
    }.`,
})

/** Whose payment it is: of the merchant that is named, or the demo merchant of the sandbox that runs here. */
async function merchantOf(
  shell: Shell,
  { merchant, url }: { readonly merchant: string | undefined; readonly url: string | undefined },
): Promise<string | undefined> {
  const config = await shell.config()
  if (config.isLive && url === undefined)
    throw new CommandFailure('REFUSED', 'This works only in the sandbox.')
  if (merchant !== undefined || url !== undefined) return merchant
  const { readDemoMerchant } = await import('../demo-merchant.ts')
  return readDemoMerchant(config)?.merchantCode
}

function noMerchant(): never {
  throw new CommandFailure('USAGE', 'This installation has no demo merchant: name one by --merchant.')
}

export function addTriggerCommand(program: Command, shell: Shell): void {
  trigger.addTo(program, shell)
}

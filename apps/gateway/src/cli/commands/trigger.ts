import type { Printed, TriggeredSchema } from '@tollgate/contract'
import { TRIGGER_OUTCOMES } from '@tollgate/contract/words'
import type { Command } from 'commander'
import type { MerchantWish } from '../actions/token-create.ts'
import { clientCommand } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { type OperatorOptions, pathOf, post } from '../operator-call.ts'
import { sandboxMerchant } from '../sandbox-merchant.ts'
import type { Shell } from '../shell.ts'
import { httpUrl, idPayment, oneOf } from '../values.ts'

const KINDS = ['payin', 'payout', 'topup'] as const

interface TriggerOptions extends OperatorOptions, MerchantWish {}

const readTyped = (typed: { readonly kind: string; readonly outcome: string; readonly id: string }) => ({
  kind: oneOf('<kind>', KINDS)(typed.kind),
  outcome: oneOf('<outcome>', TRIGGER_OUTCOMES)(typed.outcome),
  id: idPayment(typed.id),
})

/** Making things happen to payments of the sandbox. */
const trigger = clientCommand({
  command: 'trigger <kind> <outcome> <id>',
  says: `simulate an outcome in the sandbox: ${TRIGGER_OUTCOMES.join(', ')}`,
  options: [
    { flags: '--merchant <code>', says: 'merchant of the payment; default: the sandbox’s demo merchant' },
    {
      flags: '--private-key-file <file>',
      says: 'RSA private key (PEM) of the merchant: no operator is needed',
    },
    {
      flags: '--api-url <url>',
      says: 'address of the API; with --private-key-file',
      read: httpUrl('--api-url'),
    },
  ],
  permission: 'payments.trigger',
  instead: (typed, options: TriggerOptions, shell) =>
    options.privateKeyFile === undefined
      ? undefined
      : import('../actions/trigger-own.ts').then(({ triggerOwn }) =>
          triggerOwn(shell, { ...options, ...readTyped(typed) }),
        ),
  async asks(typed, { merchant, url, apiUrl }, shell) {
    if (apiUrl !== undefined) throw new CommandFailure('USAGE', '--api-url needs --private-key-file.')
    const { kind: lower, outcome, id } = readTyped(typed)
    const kind = lower.toUpperCase()
    const merchantCode = await sandboxMerchant(shell, { merchant, url })
    return post(pathOf`/operator/payments/${kind}/${merchantCode}/${id}/!trigger`, { outcome })
  },
  shows: ({ result, status, processorStatus, why }: Printed<typeof TriggeredSchema>, _pen, typed) =>
    `The ${typed.kind.toLowerCase()} ${typed.id} is ${result === 'SAME' ? 'already ' : ''}${status} (${processorStatus})${
      why === undefined ? '' : `: ${why}`
    }.`,
})

export function addTriggerCommand(program: Command, shell: Shell): void {
  trigger.addTo(program, shell)
}

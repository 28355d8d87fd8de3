import type { OperatorPayoutSchema, Printed } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand } from '../client-command.ts'
import { type OperatorOptions, pathOf } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { idPayment, oneOf, reason } from '../values.ts'
import { showPayin } from './payment-show.ts'
import { describePayout } from './payout-words.ts'

const OUTGOING = ['payout', 'settlement'] as const
const HOLDS = [
  ['hold', 'payments.hold', 'put an outgoing payment on hold before an institution has it'],
  ['release', 'payments.release', 'release a payment that another operator or the gateway put on hold'],
  [
    'cancel',
    'payments.release',
    'cancel a payment on hold; its money is released and the merchant gets the reason',
  ],
] as const

/** Stopping one outgoing payment before an institution has it. */
const holds = HOLDS.map(([action, permission, says]) =>
  clientCommand({
    command: `${action} <kind> <merchant> <id>`,
    says: `${says} (kind: ${OUTGOING.join(', ')})`,
    options: [{ flags: '--reason <text>', says: 'for the record', read: reason, isRequired: true }],
    permission,
    isByName: true,
    asks: (typed, { reason: why }: OperatorOptions & { readonly reason: string }) => {
      const kind = oneOf('<kind>', OUTGOING)(typed.kind).toUpperCase()
      return {
        method: 'POST',
        path: `${pathOf`/operator/payments/${kind}/${typed.merchant}/${idPayment(typed.id)}`}/!${action}`,
        body: { reason: why },
      }
    },
    shows: (payout: Printed<typeof OperatorPayoutSchema>, pen) => describePayout(payout, pen),
  }),
)

/** Payments, for those who look after them. */
export function addPaymentCommands(program: Command, shell: Shell): void {
  showPayin.addTo(program.command('payins').description('incoming payments'), shell)
  const payments = program.command('payments').description('outgoing payments that are on hold')
  for (const command of holds) command.addTo(payments, shell)
}

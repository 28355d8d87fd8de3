import type { MerchantClockSchema, Printed } from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type Pen } from '../client-command.ts'
import { get, type OperatorOptions, pathOf, post } from '../operator-call.ts'
import { sandboxMerchant } from '../sandbox-merchant.ts'
import type { Shell } from '../shell.ts'
import { durationSeconds } from '../values.ts'

type ClockOptions = OperatorOptions & { readonly merchant?: string }
type Clock = Printed<typeof MerchantClockSchema>

const MERCHANT = {
  flags: '--merchant <code>',
  says: 'merchant whose clock it is; default: the sandbox’s demo merchant',
}

const advance = clientCommand({
  command: 'advance <duration>',
  says: 'let time pass for one merchant: 90s, 15m, 12h or 3d',
  options: [MERCHANT],
  permission: 'payments.trigger',
  async asks(typed, options: ClockOptions, shell) {
    const seconds = durationSeconds('<duration>')(typed.duration)
    return post(pathOf`/operator/clocks/${await sandboxMerchant(shell, options)}/!advance`, { seconds })
  },
  shows: (clock: Clock, pen) => `For ${clock.merchantCode} it is ${pen.momentOf(clock.now)} now.`,
})

const show = clientCommand({
  command: 'show',
  says: 'show by how much a merchant’s clock was advanced, by whom and when',
  options: [MERCHANT],
  permission: 'merchants.read',
  asks: async (_typed, options: ClockOptions, shell) =>
    get(pathOf`/operator/clocks/${await sandboxMerchant(shell, options)}`),
  shows: (clock: Clock, pen) =>
    clock.advancedSeconds === 0
      ? `The clock of ${clock.merchantCode} was never advanced.`
      : `For ${clock.merchantCode} it is ${pen.momentOf(clock.now)}: ${shown(clock.advancedSeconds)} ahead.\n\n${advancesOf(clock, pen)}`,
})

const advancesOf = ({ advances }: Clock, pen: Pen): string =>
  pen.table(
    ['ADVANCED', 'BY', 'AT'],
    advances.map((each) => [shown(each.seconds), each.advancedBy, pen.momentOf(each.advancedAt)]),
    'No advances',
  )

const UNITS = [
  [86_400, 'd'],
  [3_600, 'h'],
  [60, 'm'],
  [1, 's'],
] as const

/** `3d 12h`. */
function shown(seconds: number): string {
  let left = seconds
  const parts: string[] = []
  for (const [size, unit] of UNITS) {
    const count = Math.floor(left / size)
    left -= count * size
    if (count > 0) parts.push(`${count}${unit}`)
  }
  return parts.join(' ')
}

/** The clocks of merchants, in the sandbox. */
export function addClockCommands(program: Command, shell: Shell): void {
  const clock = program.command('clock').description('a merchant’s clock in the sandbox')
  for (const command of [advance, show]) command.addTo(clock, shell)
}

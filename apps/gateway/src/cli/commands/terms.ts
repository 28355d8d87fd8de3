import type { Command } from 'commander'
import type { Shell } from '../shell.ts'
import { code, type DirectionName, direction, wholeNumber } from '../values.ts'

const COUNT_MAX = 2_147_483_647

const work = () => import('../actions/terms.ts')

interface MethodOptions {
  direction?: DirectionName
}
interface LimitOptions extends MethodOptions {
  currency: string
  min?: string
  max?: string
  dailyAmount?: string
  dailyCount?: number
}
interface FeeOptions extends MethodOptions {
  currency: string
  fixed?: string
  percentage?: string
  minimum?: string
  maximum?: string
  operator?: string
  segment?: string
  pricedIn?: string
  rateList?: string
}

/** What was agreed with a merchant: methods, limits, fees. */
export function addTermsCommands(merchants: Command, shell: Shell): void {
  addMethods(merchants, shell)
  addLimit(merchants, shell)
  addFee(merchants, shell)
}

function addMethods(merchants: Command, shell: Shell): void {
  merchants
    .command('enable-method <code> <method>')
    .description('let the merchant use a payment method, or `all`')
    .option(
      '--direction <direction>',
      'payin, payout or topup; default: payin, and every one for `all`',
      direction,
    )
    .action(
      shell.act(async (merchant: string, method: string, options: MethodOptions) =>
        (await work()).enableMethod(shell, { merchant, method: code(method), ...options }),
      ),
    )
  merchants
    .command('disable-method <code> <method>')
    .description('take a payment method from the merchant, or `all`; accepted payments go on')
    .option(
      '--direction <direction>',
      'payin, payout or topup; default: payin, and every one for `all`',
      direction,
    )
    .action(
      shell.act(async (merchant: string, method: string, options: MethodOptions) =>
        (await work()).disableMethod(shell, { merchant, method: code(method), ...options }),
      ),
    )
}

function addLimit(merchants: Command, shell: Shell): void {
  merchants
    .command('set-limit <code> <method>')
    .description(
      'replace the bounds of the merchant for a method and currency; what is left out does not apply',
    )
    .requiredOption('--currency <currency>', 'for example EUR', code)
    .option('--min <amount>', 'least amount of a payment')
    .option('--max <amount>', 'greatest amount of a payment')
    .option('--daily-amount <amount>', 'most money accepted in a day (UTC)')
    .option(
      '--daily-count <count>',
      'most payments accepted in a day (UTC)',
      wholeNumber('--daily-count', 1, COUNT_MAX),
    )
    .option('--direction <direction>', 'payin, payout or topup; default: payin', direction)
    .action(
      shell.act(async (merchant: string, method: string, options: LimitOptions) =>
        (await work()).setLimit(shell, { merchant, method: code(method), ...options }),
      ),
    )
}

function addFee(merchants: Command, shell: Shell): void {
  merchants
    .command('set-fee <code|house> <method>')
    .description('replace a fee, of one merchant or (`house`) of everybody without a fee of their own')
    .requiredOption('--currency <currency>', 'for example EUR', code)
    .option('--fixed <amount>', 'taken from every payment; default: 0')
    .option('--percentage <percent>', 'of the amount; default: 0')
    .option('--minimum <amount>', 'least fee')
    .option('--maximum <amount>', 'greatest fee')
    .option('--priced-in <currency>', 'the amounts here are in this currency; needs --rate-list', code)
    .option('--rate-list <code>', 'converts them when a payment is accepted', code)
    .option('--operator <operator>', 'for payments through this bank or wallet only', code)
    .option('--segment <segment>', 'for customers of this segment only', code)
    .option('--direction <direction>', 'payin, payout or topup; default: payin', direction)
    .action(
      shell.act(async (merchant: string, method: string, options: FeeOptions) =>
        (await work()).setFee(shell, { merchant, method: code(method), ...options }),
      ),
    )
}

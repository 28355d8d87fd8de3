import { existsSync, writeFileSync } from 'node:fs'
import { type Amount, isPositive, parsePlainAmount } from '@tollgate/money'
import { toEvmAddress } from '@tollgate/payment-codes'
import { systemClock } from '@tollgate/runtime'
import { agreementOf, ChainFault, type PlannedSweep, planSweep } from '../../modules/chains/index.ts'
import { createLargeAnswerClient } from '../../platform/outbound/index.ts'
import { readChains, withNodes } from '../../rooms/chain-settings.ts'
import { CommandFailure } from '../failure.ts'
import { withInstallation } from '../installation.ts'
import type { Report, Shell } from '../shell.ts'

interface Wish {
  readonly code: string
  readonly currencyCode: string
  readonly file: string
  readonly min: string
  readonly leave: string
  readonly addresses: number
  readonly again?: true
}

const NODES_MS_MAX = 300_000

/** `tollgate chains sweep`. */
export function writeSweepPlan(shell: Shell, wish: Wish): Promise<Report> {
  const { code, currencyCode, file, addresses: addressesMax } = wish
  if (existsSync(file)) throw new CommandFailure('USAGE', `${file} is there already; it is not overwritten.`)
  const min = amountIn('--min', wish.min)
  if (!isPositive(min)) throw new CommandFailure('USAGE', '--min is more than nothing.')
  const leave = amountIn('--leave', wish.leave)
  return withInstallation(shell, async ({ config, db }) => {
    const configured = readChains(config).find(({ paid }) => paid.code === code)
    if (configured === undefined)
      throw new CommandFailure(
        'NOT_FOUND',
        `There is no chain ${code}: TOLLGATE_CHAINS_FILE names those that there are.`,
      )
    const client = createLargeAnswerClient()
    const signal = AbortSignal.timeout(NODES_MS_MAX)
    try {
      const chain = withNodes(configured, { client, clock: systemClock })
      const planning = { db, chain, agreement: agreementOf(chain, signal), signal }
      const planned = await planSweep(planning, {
        currencyCode,
        min,
        leave,
        addressesMax,
        isAgain: wish.again === true,
      })
      writeFileSync(file, `${JSON.stringify(planned.plan, undefined, 2)}\n`, { flag: 'wx' })
      return reportOf(planned, { currencyCode, file })
    } catch (error) {
      if (error instanceof ChainFault) throw new CommandFailure('FAULT', error.message)
      throw error
    } finally {
      await client.close()
    }
  })
}

function amountIn(option: string, text: string): Amount {
  if (/^\d{1,18}(\.\d{1,18})?$/.test(text)) return parsePlainAmount(text)
  throw new CommandFailure(
    'USAGE',
    `${option} is an amount such as 10 or 0.5; it is ${JSON.stringify(text)}.`,
  )
}

function reportOf(
  { plan, amount, costMax, coin, gasAddress, gasHas, gasNeeds, leftOut }: PlannedSweep,
  { currencyCode, file }: Pick<Wish, 'currencyCode' | 'file'>,
): Report {
  const payer = toEvmAddress(gasAddress.slice(2))
  const short = Number(gasHas) < Number(gasNeeds)
  return {
    json: { plan, amount, costMax, coin, gasAddress: payer, gasHas, gasNeeds, leftOut },
    text: [
      `${file}: ${amount} ${currencyCode} from ${plan.moves.length === 1 ? '1 address' : `${plan.moves.length} addresses`} to ${toEvmAddress(plan.treasury.slice(2))}, for at most ${costMax} ${coin}.`,
      ...(leftOut === 0
        ? []
        : [`${leftOut} more addresses have enough; make another plan when this one is done.`]),
    ].join('\n'),
    notes: [
      `${payer} pays for it: it has ${gasHas} ${coin}, and gives ${gasNeeds} ${coin}.${short ? ' Put some there before you send it.' : ''}`,
      'Carry the plan to the machine with the private key, and sign it there: `tollgate signer sweep <settings> <plan> <signed>`.',
    ],
  }
}

import { type Amount, rawAmount } from '@tollgate/money'
import { findMerchantCode } from '../../modules/merchants/index.ts'
import {
  type CycleRun,
  netOf,
  type RunOutcome,
  runCycles,
  type Settlement,
} from '../../modules/settlements/index.ts'
import { EXIT_CODES } from '../failure.ts'
import { inHouse } from '../house.ts'
import { openSettlements } from '../settlement-house.ts'
import type { Report, Shell } from '../shell.ts'
import { moment, pairs, table } from '../text.ts'

interface RunWish {
  readonly merchant?: string
  readonly currency?: string
  readonly until?: Date | 'NOW'
  readonly dryRun?: true
}

/** `tollgate settlements run`. */
export function run(shell: Shell, wish: RunWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const { runDeps, merchantIdOf } = await openSettlements(shell, house)
    const isDry = wish.dryRun === true
    const runs = await runCycles(runDeps, {
      merchantId: wish.merchant === undefined ? undefined : await merchantIdOf(wish.merchant),
      currencyCode: wish.currency,
      until: wish.until,
      isDry,
    })
    const lines = await Promise.all(
      runs.map(async (each) => linesOf(await findMerchantCode(house.db, each.cycle.merchantId), each)),
    )
    const waits = runs.some(({ periods }) => periods.some(({ outcome }) => outcome.kind === 'WAITS'))
    const whenEmpty =
      runs.length === 0
        ? 'There is no settlement cycle. `tollgate settlements set-cycle` sets one.'
        : 'Nothing is due. `--until now` settles all the same.'
    return {
      json: lines.flat().map(({ json }) => json),
      text: table(
        ['MERCHANT', 'CURRENCY', 'UNTIL', 'RESULT', 'NET', 'SETTLEMENT'],
        lines.flat().map(({ row }) => row),
        whenEmpty,
      ),
      notes: [
        ...(isDry && runs.length > 0 ? ['A dry run: nothing was changed.'] : []),
        ...(waits ? ['What waits is tried again by the worker, and later periods after it.'] : []),
      ],
      ...(waits && { exitCode: EXIT_CODES.REFUSED }),
    }
  })
}

interface Line {
  readonly row: readonly string[]
  readonly json: unknown
}

function linesOf(merchantCode: string | undefined, { cycle, periods }: CycleRun): readonly Line[] {
  const merchant = merchantCode ?? cycle.merchantId
  return periods.map(({ to, outcome }) => {
    const { result, net, id } = told(outcome)
    return {
      row: [merchant, cycle.currencyCode, moment(to), result, net ?? '', id ?? ''],
      json: {
        merchantCode: merchant,
        currencyCode: cycle.currencyCode,
        until: to,
        result: outcome.kind === 'CARRIED' ? outcome.why : outcome.kind,
        ...(outcome.kind === 'WAITS' && { problem: outcome.problem }),
        ...(outcome.kind === 'SETTLED' && sumsOf(outcome.settlement)),
      },
    }
  })
}

const CARRIED = {
  NOTHING: 'nothing to settle',
  NOT_POSITIVE: 'carried: recalls outweigh',
  BELOW_MINIMUM: 'carried: below the minimum',
} as const

function told(outcome: RunOutcome): {
  readonly result: string
  readonly net?: Amount
  readonly id?: string
} {
  switch (outcome.kind) {
    case 'SETTLED': {
      const { idSettlement, net } = outcome.settlement
      return { result: 'settled', net, id: idSettlement }
    }
    case 'ALREADY_RUN':
      return { result: 'run already' }
    case 'CARRIED':
      return { result: CARRIED[outcome.why], net: outcome.net }
    case 'WAITS':
      return { result: `waits: ${outcome.problem}` }
  }
}

function sumsOf(settlement: Settlement): Record<string, unknown> {
  const { idSettlement, period, gross, fees, adjustments, repaid, conversion } = settlement
  return {
    idSettlement,
    kind: settlement.kind,
    ...(period !== undefined && { period }),
    currencyCode: settlement.currencyCode,
    gross: rawAmount(gross),
    fees: rawAmount(fees),
    adjustments: rawAmount(adjustments),
    net: rawAmount(netOf(settlement)),
    repaid: rawAmount(repaid),
    ...(conversion !== undefined && {
      conversion: {
        ...conversion,
        sold: { ...conversion.sold, amount: rawAmount(conversion.sold.amount) },
        bought: { ...conversion.bought, amount: rawAmount(conversion.bought.amount) },
      },
    }),
  }
}

const statusOf = ({ paidOut }: Settlement): string => paidOut?.status ?? 'SUCCESS'

interface ListWish {
  readonly merchant: string
  readonly currency?: string
  readonly limit: number
}

/** `tollgate settlements list`. */
export function list(shell: Shell, { merchant, currency, limit }: ListWish): Promise<Report> {
  return inHouse(shell, async (house) => {
    const { administration, merchantIdOf } = await openSettlements(shell, house)
    const found = await administration.list({
      ...{ merchantId: await merchantIdOf(merchant), limit, from: undefined, before: undefined },
      ...{
        currencyCodes: currency === undefined ? undefined : [currency],
        statuses: undefined,
        after: undefined,
      },
    })
    return {
      json: found.map((each) => ({ ...sumsOf(each), status: statusOf(each), createdAt: each.createdAt })),
      text: table(
        ['SETTLEMENT', 'KIND', 'STATUS', 'CURRENCY', 'GROSS', 'FEES', 'ADJUSTMENTS', 'NET', 'CREATED'],
        found.map((each) => [
          ...[each.idSettlement, each.kind, statusOf(each), each.currencyCode],
          ...[each.gross, each.fees, each.adjustments, each.net, moment(each.createdAt)],
        ]),
        `${merchant} has no settlements${currency === undefined ? '' : ` in ${currency}`}.`,
      ),
    }
  })
}

/** `tollgate settlements show` of one settlement. */
export function show(
  shell: Shell,
  { merchant, id }: { readonly merchant: string; readonly id: string },
): Promise<Report> {
  return inHouse(shell, async (house) => {
    const { administration, merchantIdOf } = await openSettlements(shell, house)
    const found = await administration.show(await merchantIdOf(merchant), id)
    const { account, reference, createdAt, paidOut } = found
    const shownAccount = account && `${account.methodCode} ${account.maskedNumber}`
    return {
      json: {
        ...{ merchantCode: merchant, ...sumsOf(found), account: account ?? null, reference, createdAt },
        ...{ status: statusOf(found), paidOut: paidOut ?? null },
      },
      text: pairs([
        ['Settlement', `${id} of ${merchant} (${found.kind})`],
        ['Status', [statusOf(found), paidOut?.processorStatus].filter(Boolean).join(', ')],
        ['Failure', paidOut?.failure && `${paidOut.failure.code}: ${paidOut.failure.message}`],
        ['Period', found.period && `${moment(found.period.from)} to ${moment(found.period.to)}`],
        ...moneyLines(found),
        ['Account', shownAccount],
        ['Reference', reference],
        ['Created', moment(createdAt)],
      ]),
    }
  })
}

function moneyLines(settlement: Settlement): readonly (readonly [string, string | undefined])[] {
  const { currencyCode, gross, fees, adjustments, net, repaid, conversion } = settlement
  const worth = (amount: Amount): string => `${amount} ${currencyCode}`
  return [
    ['Gross', worth(gross)],
    ['Fees', worth(fees)],
    ['Adjustments', worth(adjustments)],
    ['Net', worth(net)],
    ['Repaid', repaid === '0' ? undefined : worth(repaid)],
    [
      'Converted',
      conversion &&
        `${conversion.sold.amount} ${conversion.sold.currencyCode} to ${conversion.bought.amount} ${conversion.bought.currencyCode} by ${conversion.listCode}, version ${conversion.version} (${conversion.side} ${conversion.rate})`,
    ],
  ]
}

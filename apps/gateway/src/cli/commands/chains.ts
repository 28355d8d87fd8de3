import { existsSync, readFileSync } from 'node:fs'
import type {
  ChainHoldingsSchema,
  ChainListSchema,
  ChainPayoutListSchema,
  ChainSchema,
  ChainSweepListSchema,
  ChainTransferListSchema,
  Printed,
  SweepTakenSchema,
} from '@tollgate/contract'
import type { Command } from 'commander'
import { clientCommand, type Pen } from '../client-command.ts'
import { CommandFailure } from '../failure.ts'
import { get, type OperatorOptions, pathOf, post } from '../operator-call.ts'
import type { Shell } from '../shell.ts'
import { wholeNumber } from '../values.ts'
import { LIMIT } from './options.ts'

const ADDRESSES_MAX = 100

type Chain = Printed<typeof ChainSchema>

const list = clientCommand({
  command: 'list',
  says: 'list the chains with the result of the latest scan',
  permission: 'statements.read',
  asks: () => get('/operator/chains'),
  shows: ({ data }: Printed<typeof ChainListSchema>, pen) => ({
    text: pen.table(
      ['CHAIN', 'NODES', 'STATE', 'SUCCEEDED', 'HEAD', 'READ TO', 'WAITING', 'MISSING'],
      data.map((chain) => [
        chain.code,
        chain.nodes.join(', '),
        chain.state,
        pen.momentOf(chain.succeededAt) ?? '',
        chain.headBlock ?? '',
        chain.scannedBlock ?? '',
        String(chain.waitingTransfers),
        String(chain.missingTransfers),
      ]),
      'No chains: TOLLGATE_CHAINS_FILE names none.',
    ),
    notes: data.flatMap((chain) => [...faultOf(chain, pen), ...walletOf(chain, pen)]),
  }),
})

const transfers = clientCommand({
  command: 'transfers <chain>',
  says: 'list coins received at payment addresses, the newest first',
  options: [LIMIT],
  permission: 'statements.read',
  asks: ({ chain }, { limit }: OperatorOptions & { readonly limit: number }) => ({
    method: 'GET',
    path: pathOf`/operator/chains/${chainCode(chain)}/transfers`,
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof ChainTransferListSchema>, pen) =>
    pen.table(
      ['SEEN', 'MONEY', 'PAYMENT', 'STATE', 'BLOCK', 'WAITS FOR', 'TRANSACTION'],
      data.map((each) => [
        pen.momentOf(each.seenAt),
        pen.money(each.money),
        `${each.kind} ${each.idPayment}${each.isElsewhere ? ' (awaited elsewhere)' : ''}`,
        each.state,
        each.blockNumber,
        String(each.confirmations),
        each.txHash ?? 'by a contract',
      ]),
      'No coins.',
    ),
})

const payouts = clientCommand({
  command: 'payouts <chain>',
  says: 'list payouts on a chain, the newest first',
  options: [LIMIT],
  permission: 'statements.read',
  asks: ({ chain }, { limit }: OperatorOptions & { readonly limit: number }) => ({
    method: 'GET',
    path: pathOf`/operator/chains/${chainCode(chain)}/payouts`,
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof ChainPayoutListSchema>, pen) => ({
    text: pen.table(
      ['TAKEN', 'MONEY', 'PAYMENT', 'STATE', 'NONCE', 'BLOCK', 'NETWORK FEE', 'TRANSACTION'],
      data.map((each) => [
        pen.momentOf(each.takenAt),
        pen.money(each.money),
        `${each.kind} ${each.idPayment}`,
        each.isUnclear === true ? `${each.state} (unclear)` : each.state,
        each.nonce ?? '',
        each.blockNumber ?? '',
        each.networkFee ?? '',
        each.txHash ?? '',
      ]),
      'No payouts.',
    ),
    notes: data.flatMap(({ reference, problem }) =>
      problem === undefined ? [] : [`${reference}: ${problem}`],
    ),
  }),
})

const holdings = clientCommand({
  command: 'holdings <chain>',
  says: 'show the latest count of a chain, beside what was received and sent',
  permission: 'statements.read',
  asks: ({ chain }) => get(pathOf`/operator/chains/${chainCode(chain)}/holdings`),
  shows: (count: Printed<typeof ChainHoldingsSchema>, pen) => ({
    text: pen.table(
      ['CURRENCY', 'BOOKED', 'WAITING', 'ADDRESSES', 'ON THEM', 'SWEPT', 'IN WALLET', 'IN TREASURY'],
      count.assets.map(({ currencyCode, addressCount, inWallet, inTreasury, ...each }) => [
        currencyCode,
        pen.amount(each.booked),
        pen.amount(each.waiting),
        String(addressCount),
        pen.amount(each.atAddresses),
        pen.amount(each.swept),
        ...[inWallet, inTreasury].map((amount) => (amount === undefined ? '' : pen.amount(amount))),
      ]),
      'Nothing was counted yet.',
    ),
    notes: [
      ...(count.blockNumber === undefined
        ? []
        : [`At block ${count.blockNumber}, counted ${pen.momentOf(count.countedAt) ?? ''}.`]),
      ...(count.coin === undefined ? [] : [`The wallet has ${pen.money(count.coin)} for fees.`]),
      ...(count.problem === undefined ? [] : [`There is no newer count: ${count.problem}`]),
      ...count.findings,
    ],
  }),
})

const sweeps = clientCommand({
  command: 'sweeps <chain>',
  says: 'list sweep transactions, the newest first',
  options: [LIMIT],
  permission: 'statements.read',
  asks: ({ chain }, { limit }: OperatorOptions & { readonly limit: number }) => ({
    method: 'GET',
    path: pathOf`/operator/chains/${chainCode(chain)}/sweeps`,
    upTo: limit,
  }),
  shows: ({ data }: Printed<typeof ChainSweepListSchema>, pen) => ({
    text: pen.table(
      ['GIVEN', 'BY', 'STEP', 'REFERENCE', 'STATE', 'BLOCK', 'NETWORK FEE', 'TRANSACTION'],
      data.map((each) => [
        pen.momentOf(each.givenAt),
        each.givenBy,
        each.step,
        each.reference,
        each.state,
        each.blockNumber ?? '',
        each.networkFee ?? '',
        each.txHash,
      ]),
      'Nothing was brought home by way of Tollgate.',
    ),
    notes: data.flatMap(({ txHash, problem }) => (problem === undefined ? [] : [`${txHash}: ${problem}`])),
  }),
})

const send = clientCommand({
  command: 'send <chain> <signed>',
  says: 'broadcast the transactions signed by `tollgate signer sweep` until they are mined',
  permission: 'payout-files.change',
  isByName: true,
  asks: ({ chain, signed }) =>
    post(pathOf`/operator/chains/${chainCode(chain)}/sweeps`, { transactions: transactionsIn(signed) }),
  shows: (taken: Printed<typeof SweepTakenSchema>) =>
    `${taken.transactions === 1 ? '1 transaction' : `${taken.transactions} transactions`} taken, ${taken.new} new. \`tollgate chains sweeps\` shows what becomes of them.`,
})

const look = clientCommand({
  command: 'look <chain>',
  says: 'scan a chain now, and count its balances',
  permission: 'institutions.change',
  isByName: true,
  asks: ({ chain }) => post(pathOf`/operator/chains/${chainCode(chain)}/!look`),
  shows: (chain: Chain, pen) => ({
    text: `${chain.code} is read within seconds; \`tollgate chains list\` shows what becomes of it.`,
    notes: faultOf(chain, pen),
  }),
})

/** The gateway reads what is in each of them; here it is only told what the file is not. */
function transactionsIn(file: string): readonly unknown[] {
  const problem = new CommandFailure('USAGE', `${file} is no file that \`tollgate signer sweep\` wrote.`)
  if (!existsSync(file)) throw problem
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (
      typeof value === 'object' &&
      value !== null &&
      'transactions' in value &&
      Array.isArray(value.transactions)
    )
      return value.transactions
  } catch {
    // Said below.
  }
  throw problem
}

const faultOf = ({ code, fault }: Chain, pen: Pen): readonly string[] =>
  fault === undefined ? [] : [`${code}, ${fault.kind} since ${pen.momentOf(fault.since)}: ${fault.message}`]

const walletOf = ({ code, wallet }: Chain, pen: Pen): readonly string[] =>
  wallet?.problem === undefined
    ? []
    : [`${code}, payouts do not leave since ${pen.momentOf(wallet.problemSince)}: ${wallet.problem}`]

/** Chains on which customers pay in coins and tokens. */
export function addChainCommands(program: Command, shell: Shell): void {
  const chains = program.command('chains').description('chains on which customers pay in coins and tokens')
  for (const command of [list, transfers, payouts, holdings, sweeps, send, look]) command.addTo(chains, shell)
  chains
    .command('sandbox')
    .description("print settings for the test chain of a sandbox's bank simulator; changes nothing")
    .option('--signer <folder>', 'with payouts, signed by the signer of this folder')
    .action(
      shell.act(async (wish: { signer?: string }) =>
        (await import('../actions/chains.ts')).printTestChain(shell, wish),
      ),
    )
  chains
    .command('sweep <chain> <currency> <plan>')
    .description(
      'write a plan to sweep coins from payment addresses to the treasury, to be signed offline; changes nothing',
    )
    .option('--again', 'replace pending transactions at the current network fee')
    .option('--min <amount>', 'skip addresses with less', '10')
    .option('--leave <amount>', "amount of the chain's own coin to leave at each address", '0')
    .option(
      '--addresses <number>',
      'largest number of addresses',
      wholeNumber('--addresses', 1, ADDRESSES_MAX),
      ADDRESSES_MAX,
    )
    .action(
      shell.act(
        async (
          chain: string,
          currency: string,
          file: string,
          wish: { min: string; leave: string; addresses: number; again?: true },
        ) =>
          (await import('../actions/sweep.ts')).writeSweepPlan(shell, {
            code: chainCode(chain),
            currencyCode: currency.toUpperCase(),
            file,
            ...wish,
          }),
      ),
    )
  chains
    .command('starter')
    .description('print a first catalogue for the coins of the configured chains; changes nothing')
    .action(shell.act(async () => (await import('../actions/chains.ts')).printCoinCatalogue(shell)))
  chains
    .command('path <reference>')
    .description("print the derivation path of a payment's address; works offline")
    .action(
      shell.act(async (reference: string) => (await import('../actions/chains.ts')).showPath(reference)),
    )
}

function chainCode(text: string): string {
  const code = text.toUpperCase()
  if (/^[A-Z][A-Z0-9_]{0,15}$/.test(code)) return code
  throw new CommandFailure(
    'USAGE',
    `A chain's code looks like BASE; \`tollgate chains list\` shows them. This is ${JSON.stringify(text)}.`,
  )
}

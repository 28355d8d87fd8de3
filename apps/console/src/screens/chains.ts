import {
  ChainHoldingsSchema,
  ChainListSchema,
  ChainPayoutListSchema,
  ChainSchema,
  ChainSweepListSchema,
  ChainTransferListSchema,
  type Read,
  type ReadItem,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { amountText, momentHtml, momentText, moneyText, plural } from '../format.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { ApiRefusal, pathOf } from '../operator-api.ts'
import { chip, empty, facts, note, pager, table } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import type { Screen, Visit } from '../visit.ts'
import { bankViews } from './bank-views.ts'

type Chain = ReadItem<typeof ChainListSchema>
type Holdings = Read<typeof ChainHoldingsSchema>
type Sweeps = Read<typeof ChainSweepListSchema>
type Transfers = Read<typeof ChainTransferListSchema>
type Payouts = Read<typeof ChainPayoutListSchema>

const PATH = '/bank-files/chains'
const LIMIT = '50'
const SWEEPS_SHOWN = '10'

/** Chains on which customers pay and are paid in coins and tokens, and how far each was read. */
export const chainsScreen: Screen = {
  path: PATH,
  permission: 'statements.read',
  async show(visit) {
    const { data } = await chainsOf(visit)
    return {
      title: 'Chains',
      nav: 'Bank files',
      content: html`<div class="head"><h1>Chains</h1><p>Where customers pay, and are paid, in coins and tokens</p></div>
${bankViews(visit, 'Chains')}
${data.length === 0 ? empty('bank', 'No chains', { says: html`The file that <span class="code">TOLLGATE_CHAINS_FILE</span> names says which there are. The console cannot add one: signing in here must not be enough to say where coins go.` }) : tableOf(data)}`,
    }
  },
}

/** One of them, with the coins that came. */
export const chainScreen: Screen = {
  path: `${PATH}/:chainCode`,
  permission: 'statements.read',
  show: chainPage,
  acts: {
    look: {
      permission: 'institutions.change',
      async perform(visit) {
        await visit.api.post(`${apiPathOf(visit)}/!look`, ChainSchema)
        return 'asked'
      },
    },
  },
}

/** What leaves by one of them. */
export const chainPayoutsScreen: Screen = {
  path: `${PATH}/:chainCode/payouts`,
  permission: 'statements.read',
  show: payoutsPage,
}

const chainsOf = ({ api }: Visit) => api.get('/operator/chains', ChainListSchema)

const codeIn = (visit: Visit): string => visit.name('chainCode')
const apiPathOf = (visit: Visit): string => pathOf`/operator/chains/${codeIn(visit)}`
const hrefOf = (code: string): string => pathOf`/bank-files/chains/${code}`

function stateChip({ state }: Chain): Html {
  if (state === 'WORKS') return chip('good', 'check', 'Works')
  if (state === 'FAILS') return chip('warn', 'alert', 'Fails')
  return chip('info', 'clock', 'Not read yet')
}

function tableOf(data: readonly Chain[]): Html {
  const columns = [
    { name: 'Chain' },
    { name: 'State' },
    { name: 'Currencies', style: 'hide-sm' },
    { name: 'Read to block', style: 'n hide-sm' },
    { name: 'Last look, UTC', style: 'n hide-sm' },
  ]
  const rows = data.map((chain): readonly HtmlValue[] => [
    html`<a href="${hrefOf(chain.code)}"><span class="code">${chain.code}</span></a>`,
    html`${stateChip(chain)}${chain.fault && html`<span class="sub">${chain.fault.message}</span>`}${chain.missingTransfers > 0 && html`<span class="sub">${missingText(chain)}</span>`}${walletTrouble(chain).map((says) => html`<span class="sub">${says}</span>`)}`,
    chain.currencies.join(', '),
    chain.scannedBlock ?? '',
    html`<span class="quiet">${chain.lookedAt === undefined ? 'never' : momentHtml(chain.lookedAt)}</span>`,
  ])
  return table('Chains', columns, rows)
}

const missingText = ({ missingTransfers }: Chain): string =>
  `${plural(missingTransfers, 'booked transfer')} no longer on the chain`

/** What is wrong with what leaves. */
const walletTrouble = ({ wallet }: Chain): readonly string[] => [
  ...(wallet?.problem === undefined ? [] : [`Payouts do not leave: ${wallet.problem}`]),
  ...(wallet === undefined || wallet.stuckPayouts === 0
    ? []
    : [`${plural(wallet.stuckPayouts, 'payout')} with a problem`]),
]

async function chainPage(visit: Visit): Promise<Page> {
  const code = codeIn(visit)
  const [{ data }, holdings, sweeps, transfers] = await Promise.all([
    chainsOf(visit),
    visit.api.get(`${apiPathOf(visit)}/holdings`, ChainHoldingsSchema),
    visit.api.get(`${apiPathOf(visit)}/sweeps`, ChainSweepListSchema, { limit: SWEEPS_SHOWN }),
    visit.api.get(`${apiPathOf(visit)}/transfers`, ChainTransferListSchema, {
      cursor: visit.query.get('cursor') ?? undefined,
      limit: LIMIT,
    }),
  ])
  const chain = data.find((each) => each.code === code)
  if (chain === undefined)
    throw new ApiRefusal(410, { code: 'ENTITY_NOT_FOUND', message: `There is no chain ${code}.` })
  return {
    title: `Chain ${code}`,
    nav: 'Bank files',
    content: html`<div class="head"><h1>Chain <span class="code">${code}</span></h1><p>${stateChip(chain)}</p></div>
${bankViews(visit, 'Chains')}
${refusedNote(visit)}${visit.query.get('done') === 'asked' && note('good', 'Asked: the next look comes at once. Reload this page to see the result.')}${faultNote(chain)}${missingNote(chain)}${findingsNote(holdings)}${walletNote(chain)}
${facts(factsOf(chain))}
${visit.may('institutions.change') && lookForm(visit, chain)}
<section class="section" aria-labelledby="h-holdings"><div class="bar"><h2 id="h-holdings">Coins there</h2></div>${holdingsPart(holdings)}</section>
${sweepsPart(sweeps)}
<section class="section" aria-labelledby="h-transfers"><div class="bar"><h2 id="h-transfers">Coins received</h2></div>${transfersPart(visit, transfers)}</section>`,
  }
}

/** What to do about it, by what went wrong. */
const REMEDIES: Readonly<Record<string, string>> = {
  SETTINGS: 'Correct the settings file or the catalogue, and restart the gateway.',
  UNREACHABLE: 'Retried automatically. If it lasts, ask the provider of the node, or name another one.',
  REFUSED: 'Retried automatically. If it lasts, check the key and the limits with the provider of the node.',
  DISAGREE:
    'Nothing is booked while nodes say different things. If it lasts, one of them is on a fork, or lies: name another one.',
  REORGANISED: 'Nothing is read until the nodes have the chain that was read before.',
}

const faultNote = ({ fault }: Chain): Html | undefined =>
  fault &&
  note('warn', html`<b>${fault.message}</b> (since ${momentText(fault.since)}). ${REMEDIES[fault.kind]}`)

const missingNote = (chain: Chain): Html | undefined =>
  chain.missingTransfers === 0
    ? undefined
    : note(
        'bad',
        html`<b>${missingText(chain)}.</b> Payments were told as paid by them. They are booked still: look for their transactions on the chain, and deliver nothing for these payments until they are back.`,
      )

const findingsNote = ({ findings, findingsSince }: Holdings): Html | undefined =>
  findings.length === 0
    ? undefined
    : note(
        'bad',
        html`<b>The chain does not have what it should have${findingsSince === undefined ? '' : html` (since ${momentText(findingsSince)})`}.</b> Someone may have the key of the account: stop taking payins there until you know. ${findings.map((says) => html`<span class="sub">${says}</span>`)}`,
      )

function holdingsPart({ assets, blockNumber, countedAt, coin, problem }: Holdings): Html {
  const trouble = problem && note('warn', html`There is no newer count. ${problem}`)
  if (countedAt === undefined)
    return html`${trouble}${empty('bank', 'Not counted yet', { says: 'Coins are counted every hour, and when you look.' })}`
  const columns = [
    { name: 'Currency' },
    { name: 'Booked', style: 'n' },
    { name: 'At addresses', style: 'n' },
    { name: 'In the wallet', style: 'n hide-sm' },
    { name: 'In the treasury', style: 'n hide-sm' },
    { name: 'Waiting', style: 'n hide-md' },
    { name: 'Swept so far', style: 'n hide-md' },
  ]
  const rows = assets.map((each): readonly HtmlValue[] => {
    const { currencyCode } = each
    const text = (amount: string | undefined): string =>
      amount === undefined ? '–' : amountText({ amount, currencyCode })
    return [
      currencyCode,
      text(each.booked),
      html`${text(each.atAddresses)}<span class="sub">${plural(each.addressCount, 'address', 'addresses')}</span>`,
      ...[each.inWallet, each.inTreasury, each.waiting, each.swept].map(text),
    ]
  })
  return html`${trouble}${table('Coins on the chain', columns, rows)}<p class="hint">At block ${blockNumber}, counted ${momentText(countedAt)} UTC. The books answer for what is booked; the rest of what is there is your own.${coin && html` The wallet has ${moneyText(coin)} for fees.`}</p>`
}

const shortHash = (hash: string | undefined): string | undefined => hash && `${hash.slice(0, 12)}…`

/** The latest transactions that bring coins home; nothing where nobody does so by way of the gateway. */
function sweepsPart({ data }: Sweeps): Html | undefined {
  if (data.length === 0) return undefined
  const columns = [
    { name: 'Step' },
    { name: 'State' },
    { name: 'Payment' },
    { name: 'Network fee', style: 'n hide-md' },
    { name: 'Transaction', style: 'hide-md' },
    { name: 'Given, UTC', style: 'n hide-sm' },
  ]
  const rows = data.map((each): readonly HtmlValue[] => [
    each.step === 'FUND' ? 'Coins to pay with' : 'Brings coins home',
    html`${sweepChip(each)}${each.problem && html`<span class="sub">${each.problem}</span>`}`,
    html`<span class="code">${each.reference}</span>`,
    html`<span class="quiet">${each.networkFee ?? ''}</span>`,
    html`<span class="code quiet">${shortHash(each.txHash) ?? ''}</span>`,
    html`<span class="quiet">${momentHtml(each.givenAt)}</span><span class="sub">${each.givenBy}</span>`,
  ])
  return html`<section class="section" aria-labelledby="h-sweeps"><div class="bar"><h2 id="h-sweeps">Sweeps</h2></div>${table('The latest sweeps, newest first', columns, rows)}</section>`
}

function sweepChip({ state }: Sweeps['data'][number]): Html {
  if (state === 'DONE') return chip('good', 'check', 'Done')
  if (state === 'FAILED') return chip('bad', 'alert', 'Failed')
  return state === 'SUPERSEDED' ? chip('mute', 'minus', 'Superseded') : chip('info', 'clock', 'Sent')
}

function walletNote(chain: Chain): Html | undefined {
  const trouble = walletTrouble(chain)
  if (trouble.length === 0) return undefined
  return note(
    'warn',
    html`<b>${trouble.join(' ')}</b> Nothing is lost or paid twice meanwhile: <a href="${hrefOf(chain.code)}/payouts">the payouts</a> say what each waits for.`,
  )
}

const factsOf = (chain: Chain): readonly (readonly [string, HtmlValue])[] => [
  ['Chain id', html`<span class="code">${chain.chainId}</span>`],
  ['Nodes', html`<span class="code break">${chain.nodes.join(', ')}</span>`],
  ['Currencies', chain.currencies.join(', ')],
  ['Last block of all nodes', chain.headBlock ?? 'not known'],
  ['Read to block', chain.scannedBlock ?? 'not read'],
  ['Last success', chain.succeededAt === undefined ? 'never' : `${momentText(chain.succeededAt)} UTC`],
  ['Failures in a row', chain.failures],
  ['Waiting for blocks', chain.waitingTransfers],
  ...walletFacts(chain),
]

const walletFacts = ({ code, wallet }: Chain): readonly (readonly [string, HtmlValue])[] =>
  wallet === undefined
    ? []
    : [
        ['Wallet of payouts', html`<span class="code break">${wallet.address}</span>`],
        [
          'Payouts',
          html`<a href="${hrefOf(code)}/payouts">${wallet.queuedPayouts} waiting, ${wallet.sentPayouts} sent</a>`,
        ],
      ]

const lookForm = ({ formToken }: Visit, { code }: Chain): Html =>
  html`<form class="line-form section-s" method="post" action="${hrefOf(code)}/look">${formToken}<button class="btn btn-main">${icon('resend')}Look now</button><span class="hint">Without waiting for the interval.</span></form>`

function transfersPart({ query, path }: Visit, { data, nextCursor }: Transfers): Html {
  if (data.length === 0)
    return empty('sheet', 'No coins yet', { says: 'Coins at addresses of payments are listed here.' })
  const columns = [
    { name: 'Amount', style: 'n' },
    { name: 'State' },
    { name: 'Payment' },
    { name: 'Transaction', style: 'hide-md' },
    { name: 'Block', style: 'n hide-sm' },
    { name: 'Seen, UTC', style: 'n hide-sm' },
  ]
  const rows = data.map((each): readonly HtmlValue[] => [
    moneyText(each.money),
    transferChip(each),
    html`<span class="code">${each.idPayment}</span><span class="sub">${each.isElsewhere ? 'awaited on another chain: see suspense' : each.reference}</span>`,
    html`<span class="code quiet">${shortHash(each.txHash) ?? 'by a contract'}</span>`,
    html`<span class="quiet">${each.blockNumber}</span>`,
    html`<span class="quiet">${momentHtml(each.seenAt)}</span>`,
  ])
  const says = `${plural(data.length, 'transfer')}, the newest first`
  return html`${table('Coins received, newest first', columns, rows)}${pager({ path, query, nextCursor, says })}`
}

function transferChip({ state, confirmations }: Transfers['data'][number]): Html {
  if (state === 'BOOKED') return chip('good', 'check', 'Booked')
  if (state === 'MISSING') return chip('bad', 'alert', 'Missing')
  if (state === 'GONE') return chip('mute', 'minus', 'Gone')
  return html`${chip('info', 'clock', 'Seen')}<span class="sub">waits for ${plural(confirmations, 'block')}</span>`
}

async function payoutsPage(visit: Visit): Promise<Page> {
  const code = codeIn(visit)
  const payouts = await visit.api.get(`${apiPathOf(visit)}/payouts`, ChainPayoutListSchema, {
    cursor: visit.query.get('cursor') ?? undefined,
    limit: LIMIT,
  })
  return {
    title: `Payouts on ${code}`,
    nav: 'Bank files',
    content: html`<div class="head"><h1>Payouts on <span class="code">${code}</span></h1><p><a href="${hrefOf(code)}">The chain</a></p></div>
${bankViews(visit, 'Chains')}
${payoutsPart(visit, payouts)}`,
  }
}

function payoutsPart({ query, path }: Visit, { data, nextCursor }: Payouts): Html {
  if (data.length === 0)
    return empty('sheet', 'No payouts yet', { says: 'Payouts in coins and tokens are listed here.' })
  const columns = [
    { name: 'Amount', style: 'n' },
    { name: 'State' },
    { name: 'Payment' },
    { name: 'Nonce', style: 'n hide-sm' },
    { name: 'Network fee', style: 'n hide-md' },
    { name: 'Transaction', style: 'hide-md' },
    { name: 'Taken, UTC', style: 'n hide-sm' },
  ]
  const rows = data.map((each): readonly HtmlValue[] => [
    moneyText(each.money),
    html`${payoutChip(each)}${each.problem && html`<span class="sub">${each.problem}</span>`}`,
    html`<span class="code">${each.idPayment}</span><span class="sub">${each.reference}</span>`,
    html`<span class="quiet">${each.nonce ?? ''}</span>`,
    html`<span class="quiet">${each.networkFee ?? ''}</span>`,
    html`<span class="code quiet">${shortHash(each.txHash) ?? ''}</span>`,
    html`<span class="quiet">${momentHtml(each.takenAt)}</span>`,
  ])
  const says = `${plural(data.length, 'payout')}, the newest first`
  return html`${table('Payouts, newest first', columns, rows)}${pager({ path, query, nextCursor, says })}`
}

function payoutChip({ state, isUnclear }: Payouts['data'][number]): Html {
  if (isUnclear === true) return chip('bad', 'alert', 'Unclear')
  if (state === 'PAID') return chip('good', 'check', 'Paid')
  if (state === 'FAILED') return chip('mute', 'minus', 'Failed')
  if (state === 'DECIDED') return chip('mute', 'minus', 'Decided by people')
  return state === 'QUEUED' ? chip('info', 'clock', 'Waiting') : chip('info', 'clock', 'Sent')
}

import type { Read, StatementLineSchema } from '@tollgate/contract'
import { compareAmounts, parsePlainAmount, subtractAmounts } from '@tollgate/money'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { ageText, momentText, moneyHtml, moneyText, plural, wordsOf } from '../format.ts'
import { initials } from '../frame.ts'
import { type IconName, icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { chip, copyButton, note, pairs } from '../parts.ts'
import { kindWords, statusChip } from '../status.ts'
import type { Visit } from '../visit.ts'
import { actorName, bankDay, decisionWords, lineMoney, lineStateChip } from './line-words.ts'
import { paymentHref } from './payments.ts'

// One bank line, for whoever decides about it: what the bank says, the payments that it may be for, the decision.

export type Report = Read<typeof StatementLineSchema>
type Suggestion = Report['suggestions'][number]

export function lineSubject(visit: Visit, report: Report, path: string): Html {
  return html`${linePanel(visit, report, path)}
${report.waiting.map(waitingNote)}
${decisionPanel(visit, report, path)}
${decidedPanel(report)}`
}

function linePanel(visit: Visit, report: Report, path: string): Html {
  const { lineId, state, openMoney, bookedOn, direction, isMasked } = report
  const inSuspense =
    openMoney === undefined
      ? lineStateChip(state)
      : html`${lineStateChip(state)} ${chip('mute', 'clock', `${ageText(bankDay(bookedOn), visit.nowMs)} in suspense`)}`
  const look =
    isMasked && visit.may('statements.unmask')
      ? html`<form class="panel-foot" method="post" action="${path}/details${visit.search}">${visit.formToken}<button class="btn">${icon('eye')}Show in full</button> <span class="hint inline">Recorded under your name.</span></form>`
      : undefined
  return html`<section class="panel" aria-labelledby="h-b"><div class="panel-head"><h2 id="h-b">Bank line ${lineId}</h2><span class="acts">${inSuspense}</span></div><div class="panel-body lead"><p class="hero-sum">${lineMoney(report)}${direction === 'DEBIT' && html`<span class="vh"> left</span>`}</p>${saidOf(report)}</div>${look}</section>`
}

function saidOf(report: Report): Html {
  const { accountCode, bookedOn, bankReference, charges, openMoney, money, reasons, payment } = report
  const { direction, isReversal, returnReference } = report
  const isPart = openMoney !== undefined && openMoney.amount !== money.amount
  return pairs([
    [direction === 'CREDIT' ? 'From' : 'To', partyOf(report)],
    ['References', textsOf(report.references)],
    ['Text', textsOf(report.texts)],
    [
      'Booked',
      html`${momentText(bankDay(bookedOn)).replace(/,.*/, '')} on <span class="code">${accountCode}</span>${isReversal && ', takes a booking back'}`,
    ],
    bankReference === undefined
      ? undefined
      : ['Bank’s reference', html`<span class="code">${bankReference}</span>`],
    charges === undefined ? undefined : ['Charges', moneyText(charges)],
    isPart ? ['In suspense', moneyText(openMoney)] : undefined,
    payment === undefined
      ? undefined
      : [
          'Payment',
          html`<a href="${paymentHref(payment)}"><span class="code">${payment.idPayment}</span></a> ${kindWords(payment.kind).toLowerCase()} of ${payment.merchantCode}`,
        ],
    reasons.length === 0 ? undefined : ['Why', html`${reasons.map(sentence).join('. ')}.`],
    returnReference === undefined
      ? undefined
      : [
          'Return under',
          html`<span class="code">${returnReference}</span> ${copyButton('the reference', returnReference)}`,
        ],
  ])
}

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

function partyOf({ party }: Report): HtmlValue {
  const { name, accountNumber, bankCode } = party ?? {}
  const account = [accountNumber, bankCode].filter((each) => each !== undefined).join(', ')
  if (name === undefined && account === '') return html`<span class="quiet">The bank names nobody</span>`
  return html`${name}${name !== undefined && account !== '' && ', '}${account !== '' && html`<span class="code">${account}</span>`}`
}

/** Of what is masked, how much there is. */
function textsOf(texts: readonly string[]): HtmlValue {
  if (texts.length === 0) return html`<span class="quiet">None</span>`
  if (texts.every((text) => text === '…')) return html`<span class="quiet">${texts.length} hidden</span>`
  return html`<span class="code">${texts.join(' · ')}</span>`
}

const waitingNote = ({ confirmationId, title, proposedBy }: Report['waiting'][number]): Html =>
  note(
    'info',
    html`<b>Waits for a second operator.</b> ${title}, by ${actorName(proposedBy)}: <a href="${pathOf`/confirmations/${confirmationId}`}">confirmation ${confirmationId}</a>`,
  )

/** Only what can be decided about this line, by somebody who may. */
function decisionPanel(visit: Visit, report: Report, path: string): Html | undefined {
  const { choices, suggestions, direction } = report
  const names = new Set(choices.map(({ decision }) => decision))
  const mayDecide = visit.may('statements.decide') && choices.length > 0
  const list = suggestions.map((each, index) =>
    candidate(report, each, { names, mayDecide, isBest: index === 0 && isClear(suggestions) }),
  )
  if (!mayDecide && list.length === 0) return undefined
  const isMoneyIn = direction === 'CREDIT' && report.state !== 'RETURNING'
  const head = isMoneyIn
    ? html`<div class="panel-head"><h2 id="h-c">Payments it could be for</h2><span class="quiet">${plural(suggestions.length, 'candidate')}</span></div>${list}${list.length === 0 && html`<p class="panel-body quiet">No open payment has this reference, amount, account or name.</p>`}`
    : html`<div class="panel-head"><h2 id="h-c">Decision</h2></div>`
  if (!mayDecide) return html`<section class="panel" aria-labelledby="h-c">${head}</section>`
  // Enter must not decide: the first button of a form is the one that it presses, and this one does nothing.
  return html`<form class="panel" method="post" action="${path}/decide${visit.search}" aria-labelledby="h-c">${visit.formToken}<button hidden disabled></button>${head}${names.has('ACCEPT') && otherPayment(visit, report, names)}${decisionFoot(visit, report, names)}</form>`
}

interface CandidatePlace {
  readonly names: ReadonlySet<string>
  readonly mayDecide: boolean
  /** The one filled button of the screen: only where no other is as likely. */
  readonly isBest: boolean
}

function candidate(
  report: Report,
  suggestion: Suggestion,
  { names, mayDecide, isBest }: CandidatePlace,
): Html {
  const { payment, status, money, score, reasons, differences } = suggestion
  const reason = (kind: 'yes' | 'no', name: IconName, text: string): Html =>
    html`<li class="${kind}">${icon(name)}<span>${kind === 'no' && html`<span class="vh">Against: </span>`}${sentence(text)}</span></li>`
  const button = mayDecide ? candidateButton(report, suggestion, { names, isBest }) : undefined
  return html`<article class="cand${isBest && ' best'}"><p class="score${score >= GOOD_SCORE && ' good'}">${Math.round(score * PERCENT)}%<small>match</small></p><div><h3><a href="${paymentHref(payment)}"><span class="code">${payment.idPayment}</span></a> <span class="quiet">${kindWords(payment.kind)} of ${payment.merchantCode}, ${moneyText(money)}</span> ${statusChip(status)}</h3><ul class="why-list">${reasons.map((text) => reason('yes', 'check', text))}${differences.map((text) => reason('no', 'x', text))}</ul></div>${button !== undefined && html`<p class="acts">${button}</p>`}</article>
`
}

const isClear = ([first, second]: readonly Suggestion[]): boolean =>
  first !== undefined && first.score >= CLEAR_SCORE && first.score > (second?.score ?? 0)

const CLEAR_SCORE = 0.5
const PERCENT = 100
const GOOD_SCORE = 0.85

/** Accepting takes money that suffices, covering what is too little; no other currency ever fits. */
function candidateButton(
  { openMoney }: Report,
  { payment, money }: Suggestion,
  { names, isBest }: Pick<CandidatePlace, 'names' | 'isBest'>,
): Html | undefined {
  if (openMoney === undefined || openMoney.currencyCode !== money.currencyCode) return undefined
  const open = parsePlainAmount(openMoney.amount)
  const asked = parsePlainAmount(money.amount)
  const lacks = compareAmounts(open, asked) < 0
  const decision = lacks ? 'COVER' : 'ACCEPT'
  if (!names.has(decision)) return undefined
  const words = lacks
    ? `Cover ${moneyText({ amount: subtractAmounts(asked, open), currencyCode: money.currencyCode })}`
    : 'Match'
  const value = [decision, payment.kind, payment.merchantCode, payment.idPayment].join(' ')
  return html`<button class="btn${isBest && ' btn-main'}" name="choice" value="${value}">${words}<span class="vh"> ${payment.idPayment}</span></button>`
}

const KINDS = ['PAYIN', 'TOPUP'] as const

/** A payment that is not among the candidates, and several lines that make one. */
function otherPayment({ refused }: Visit, report: Report, names: ReadonlySet<string>): Html {
  const typed = (name: string): string => refused?.form.get(name) ?? ''
  const isOpen = ['merchantCode', 'idPayment', 'withLineIds'].some((name) => typed(name) !== '')
  const field = (name: string, label: string, hint: string): Html =>
    html`<label class="field"><span>${label}</span><input class="input" name="${name}" value="${typed(name)}" maxlength="250" autocomplete="off"><small>${hint}</small></label>`
  const named =
    report.payment === undefined
      ? 'Empty: as the line says, which names none'
      : `Empty: ${report.payment.idPayment}, which the line names`
  return html`<details class="panel-foot more more-pay"${isOpen && html` open`}><summary>Another payment, or several lines</summary><div class="fields"><label class="field"><span>Kind</span><select class="input" name="kind">${KINDS.map((kind) => html`<option value="${kind}"${typed('kind') === kind && html` selected`}>${kindWords(kind)}</option>`)}</select></label>${field('merchantCode', 'Merchant code', 'Of the payment')}${field('idPayment', 'Payment id', named)}${field('withLineIds', 'Together with lines', 'Numbers of further lines that make the same payment')}</div><p class="acts section-s"><button class="btn" name="choice" value="ACCEPT">Match with this payment</button>${names.has('COVER') && html`<button class="btn" name="choice" value="COVER">Cover what is lacking</button>`}</p></details>`
}

interface Plain {
  readonly decision: string
  readonly words: string
  readonly icon: IconName
  readonly says: string
}

const PLAIN: readonly Plain[] = [
  { decision: 'RETURN', words: 'Return the money', icon: 'undo', says: '' },
  {
    decision: 'SAME_MONEY',
    words: 'It is the same money',
    icon: 'copy',
    says: 'The same money: the institution told of it before, and nothing is booked twice.',
  },
  {
    decision: 'RETURNED',
    words: 'It went back',
    icon: 'undo',
    says: 'Only if no line of your bank says so: that one would close it by itself.',
  },
  {
    decision: 'NOTE',
    words: 'Note it',
    icon: 'audit',
    says: 'For money that left for no payment, such as the bank’s own charges.',
  },
]

function decisionFoot(visit: Visit, { choices }: Report, names: ReadonlySet<string>): Html {
  const offered = PLAIN.filter(({ decision }) => names.has(decision))
  const reason = visit.refused?.form.get('reason') ?? ''
  const hints = [
    ...(names.has('COVER') ? ['Cover: the gateway gives the difference, out of its fees.'] : []),
    ...offered.map(({ says }) => says).filter((says) => says !== ''),
  ]
  return html`<div class="panel-foot"><div class="decide"><label class="field grow"><span>Reason</span><input class="input" name="reason" required maxlength="250" autocomplete="off" value="${reason}"><small>Kept in the record and shown to all: no names.</small></label>${offered.map(({ decision, words, icon: name }) => html`<button class="btn btn-mid" name="choice" value="${decision}">${icon(name)}${words}</button>`)}</div>${hints.map((says) => html`<p class="hint">${says}</p>`)}${secondPart(visit, choices)}</div>`
}

/** Whether somebody else will be needed, drawn before anything is pressed. */
function secondPart({ me }: Visit, choices: Report['choices']): Html | undefined {
  const answers = choices.map(({ secondOperator }) => secondOperator)
  const who = choices
    .filter(({ secondOperator }) => secondOperator !== 'NO')
    .map(({ decision }) => SECONDED[decision] ?? wordsOf(decision))
    .join(' or ')
  if (who === '') return undefined
  const isCertain = answers.includes('YES')
  const says = isCertain
    ? 'Nothing follows before that.'
    : 'It depends on the money and the state of the payment.'
  return html`<ol class="hands two-hands"><li><span class="face face-empty" aria-hidden="true">${initials(me.name)}</span><span>You decide<small>${who}</small></span></li><li><span class="face face-empty" aria-hidden="true">?</span><span>${isCertain ? 'A second operator confirms it' : 'A second operator may have to confirm it'}<small>${says}</small></span></li></ol>`
}

const SECONDED: Readonly<Record<string, string>> = { ACCEPT: 'Match', COVER: 'cover', NOTE: 'Note' }

function decidedPanel({ decisions }: Report): Html | undefined {
  if (decisions.length === 0) return undefined
  return html`<section class="panel"><h2>Decided</h2><ol class="panel-body hands">${decisions.map(({ decision, decidedBy, confirmedBy, reason, money, decidedAt }) => html`<li><span class="face face-2" aria-hidden="true">${initials(actorName(decidedBy))}</span><span>${decisionWords(decision)} by ${actorName(decidedBy)}${confirmedBy !== undefined && ` and ${actorName(confirmedBy)}`}, ${momentText(decidedAt)}${money.amount !== '0' && html`, ${moneyHtml(money)}`}<small>“${reason}”</small></span></li>`)}</ol></section>`
}

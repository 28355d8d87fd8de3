import type { OperatorPayoutListSchema, PayeeSchema, Read, ReadItem } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { dayText, momentHtml, momentText, moneyHtml, moneyText, plural, wordsOf } from '../format.ts'
import { initials } from '../frame.ts'
import { icon } from '../icons.ts'
import { chip, copyButton, note } from '../parts.ts'
import { statusChip } from '../status.ts'
import type { Visit } from '../visit.ts'
import { paymentHref } from './payments.ts'

// One payout, for whoever decides about it: whom it pays, why it waits, who has approved, and the decision.

export type Payout = ReadItem<typeof OperatorPayoutListSchema>
export type Payee = Read<typeof PayeeSchema>

interface SubjectPlace {
  /** Only after somebody has asked for it. */
  readonly payee: Payee | undefined
  readonly path: string
  readonly search: string
}

export function payoutSubject(visit: Visit, payout: Payout, place: SubjectPlace): Html {
  const { kind, merchantCode, idPayout, money, process } = payout
  const href = paymentHref({ kind, merchantCode, idPayment: idPayout })
  const isWaiting = process.processorStatus === 'AWAITING_APPROVAL'
  return html`<div class="hero"><div><h2 class="hero-sum" id="h-p">${moneyHtml(money)}</h2><p class="hero-line">${statusChip(process.status, process.processorStatus)}<a href="${href}"><span class="code">${idPayout}</span></a><span>${payout.refundOf === undefined ? 'Payout' : html`Refund of <span class="code">${payout.refundOf}</span>`} by ${merchantCode}, ${momentText(process.createdAt)} UTC</span></p></div></div>
${warnings(payout, place.payee)}
<div class="panel payee section-s">${payeePart(visit, payout, place)}${reasonsPart(payout, place.payee)}</div>
${place.payee !== undefined && historyPart(place.payee)}
${isWaiting && commandLine(payout)}
${isWaiting ? decision(visit, payout, place) : html`<p class="section-s acts"><a class="btn" href="${href}">Open the payment, to release or cancel it</a></p>`}`
}

/** What an approver is to find out before they approve. */
const CHECKS: readonly (readonly [reason: string, words: Html])[] = [
  [
    'NEW_BENEFICIARY',
    html`<b>Nothing was paid to this account before.</b> Check it with the merchant before you approve.`,
  ],
  [
    'HALF_CREDENTIAL',
    html`<b>One operator alone added the key or secret by which it was asked for.</b> Ask the merchant whether they did.`,
  ],
  [
    'NEW_SETTLEMENT_ACCOUNT',
    html`<b>One operator alone set this settlement account.</b> Ask the merchant for the account, and compare.`,
  ],
]

function warnings({ waitsBecause }: Payout, payee: Payee | undefined): HtmlValue {
  const verified = payee?.verification ?? payee?.earlierVerification
  return [
    payee?.isBlocked === true &&
      note('bad', html`<b>The payee is on a block-list.</b> The payout will not leave.`),
    ...CHECKS.map(([reason, words]) => waitsBecause.includes(reason) && note('warn', words)),
    verified !== undefined &&
      verified.result !== 'MATCH' &&
      note(
        'warn',
        html`<b>The payee’s bank says: ${wordsOf(verified.result).toLowerCase()}.</b> Name and account do not belong together for certain.`,
      ),
  ]
}

function payeePart(visit: Visit, payout: Payout, place: SubjectPlace): Html {
  const { payee } = place
  const bank = (payee?.account ?? payout.account)?.bankCode
  const pair = (name: string, value: HtmlValue): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`
  return html`<div><dl class="kv"><div><dt>Payee</dt>${payee === undefined ? hiddenPayee(payout) : openPayee(payee)}</div>${bank !== undefined && pair('Bank', html`<span class="code">${bank}</span>`)}${payee?.emailAddress !== undefined && pair('Email', payee.emailAddress)}${pair('Method', wordsOf(payout.paymentMethodCode))}${pair('Fee', moneyText(payout.fee))}${pair('Open until, UTC', momentHtml(payout.expireAt))}</dl>${payee === undefined && visit.may('payouts.unmask') && lookForm(visit, place)}</div>`
}

const hiddenPayee = ({ account }: Payout): Html =>
  html`<dd class="payee-name">Name hidden</dd><dd class="acct"><span class="code">${account?.accountNumber ?? 'No account'}</span></dd>`

function openPayee({ account }: Payee): Html {
  const number = account?.accountNumber
  const shown =
    number === undefined
      ? 'No account'
      : html`<span class="code">${grouped(number)}</span> ${copyButton('the account', number)}`
  return html`<dd class="payee-name">${account?.accountName ?? 'No name given'}</dd><dd class="acct">${shown}</dd>`
}

const lookForm = ({ formToken }: Visit, { path, search }: SubjectPlace): Html =>
  html`<form class="section-s" method="post" action="${path}/payee${search}">${formToken}<button class="btn">${icon('eye')}Show the payee in full</button> <span class="hint">Recorded under your name.</span></form>`

/** In groups of four, as on paper. */
const grouped = (number: string): string =>
  /^[A-Z]{2}\d{2}[A-Z0-9]{8,}$/.test(number) ? (number.match(/.{1,4}/g) ?? []).join(' ') : number

const BECAUSE: Readonly<Record<string, string>> = {
  AMOUNT: 'Its amount: the merchant’s rule.',
  NEW_BENEFICIARY: 'Nothing was paid to this account before.',
  DAILY_SUM: 'The merchant’s payouts of the day: their sum.',
  SETTLEMENT: 'Every settlement of this merchant waits.',
  HALF_CREDENTIAL: 'Another administrator has not confirmed the key or secret by which it was asked for.',
  NEW_SETTLEMENT_ACCOUNT: 'One operator set the account, and no settlement to it was approved.',
  OTHER: 'The rail asks for it, or a rule that has changed since.',
}

function reasonsPart({ waitsBecause, holds }: Payout, payee: Payee | undefined): Html {
  const rule = payee?.rule
  return html`<div><h3>Why it waits</h3><ul class="stack-s">${waitsBecause.map((cause) => html`<li>${BECAUSE[cause] ?? wordsOf(cause)}</li>`)}${holds.map(({ event, cause, operatorCode, reason, happenedAt }) => html`<li>${wordsOf(event)}${cause !== undefined && ` (${wordsOf(cause).toLowerCase()})`}${operatorCode !== undefined && html` by <span class="code">${operatorCode}</span>`}, ${momentText(happenedAt)} UTC: ${reason}</li>`)}</ul>${rule !== undefined && html`<p class="hint section-s">The rule: ${[rule.amountFrom && `from ${moneyText(rule.amountFrom)}`, rule.newBeneficiary && 'new payees', rule.dailySumFrom && `from ${moneyText(rule.dailySumFrom)} a day`].filter((each) => typeof each === 'string').join(', ')}.</p>`}</div>`
}

function historyPart({ history, verification, earlierVerification }: Payee): Html {
  const { paidCount, returnedCount, openCount, paidMoney, firstPaidAt, lastPaidAt } = history
  const verified = verification ?? earlierVerification
  const when =
    firstPaidAt === undefined || lastPaidAt === undefined
      ? undefined
      : ` First ${dayText(firstPaidAt)}, last ${dayText(lastPaidAt)}.`
  return html`<section class="panel section-s"><h2>This merchant and this payee</h2><div class="panel-body"><p>${paidCount === 0 ? 'Nothing was paid before.' : `${plural(paidCount, 'payment')} paid: ${paidMoney.map(moneyText).join(' and ')}.`}${when}${returnedCount > 0 && html` <span class="bad">${returnedCount} came back.</span>`} ${openCount} open, this one among them.</p>${verified !== undefined && html`<p class="section-s">${verified.result === 'MATCH' ? chip('good', 'check', 'Name fits the account') : chip('warn', 'alert', wordsOf(verified.result))} <span class="quiet">by the payee’s bank, ${momentText(verified.receivedAt)}</span></p>`}</div></section>`
}

function commandLine({ kind, merchantCode, idPayout, contentHash }: Payout): Html {
  const command = `npx tollgate payouts approve ${merchantCode} ${idPayout} --content ${contentHash}${kind === 'SETTLEMENT' ? ' --settlement' : ''} --reason '…'`
  return html`<p class="cli section-s"><span class="vh">Same on the command line:</span><code tabindex="0">${command}</code>${copyButton('the command', command)}</p>`
}

function decision(visit: Visit, payout: Payout, { path, search }: SubjectPlace): Html | undefined {
  const { approvals, approvalsNeeded, contentHash, money, requestedBy } = payout
  const { operatorCode, name } = visit.me
  const hasApproved = approvals.some((each) => each.operatorCode === operatorCode)
  const isLast = approvals.length + 1 >= approvalsNeeded
  const mine = !hasApproved && requestedBy !== operatorCode && visit.may('payouts.approve')
  const hands = [
    ...approvals.map(
      (each) =>
        html`<li><span class="face face-2" aria-hidden="true">${initials(each.operatorCode)}</span><span>${each.operatorCode} approved, ${momentText(each.decidedAt)} UTC${each.reason !== undefined && html`<small>“${each.reason}”</small>`}</span></li>`,
    ),
    ...Array.from({ length: Math.max(0, approvalsNeeded - approvals.length) }, (_, index) =>
      mine && index === 0
        ? html`<li><span class="face face-empty" aria-hidden="true">${initials(name)}</span><span>You decide<small>${isLast ? 'Your approval sends the payout.' : 'Another operator approves it, too.'}</small></span></li>`
        : html`<li><span class="face face-empty" aria-hidden="true">?</span><span>Another operator<small>${hasApproved ? 'You have approved.' : 'Who has not approved yet.'}</small></span></li>`,
    ),
  ]
  const people = html`<h2 class="vh">Decision</h2><ol class="hands">${hands}</ol>`
  if (!mine) return html`<div class="decision">${people}</div>`
  const words = isLast ? `Approve and send ${moneyText(money)}` : `Approve ${moneyText(money)}`
  const reason = visit.refused?.form.get('reason') ?? ''
  // Enter must not decide: the first button of a form is the one that it presses, and this one does nothing.
  return html`<form class="decision" method="post">${visit.formToken}<input type="hidden" name="contentHash" value="${contentHash}"><button hidden disabled></button>${people}<div class="decide"><label class="field grow"><span class="vh">Reason</span><input class="input" name="reason" required maxlength="250" autocomplete="off" placeholder="Reason, kept in the record" value="${reason}"></label><button class="btn btn-bad btn-mid" formaction="${path}/reject${search}">${icon('x')}Reject</button><button class="btn btn-main btn-mid" formaction="${path}/approve${search}">${icon('check')}${words}</button></div></form>`
}

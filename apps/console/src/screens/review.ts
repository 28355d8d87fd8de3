import { type Read, ReviewDetailSchema } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml, momentText, moneyHtml, moneyText, plural, wordsOf } from '../format.ts'
import { initials } from '../frame.ts'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { copyButton, facts, note, table } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import { kindWords, statusChip } from '../status.ts'
import type { Screen, Visit } from '../visit.ts'
import { paymentHref } from './payments.ts'

type Detail = Read<typeof ReviewDetailSchema>
type Inquiry = Detail['inquiries'][number]

/** One payment whose outcome people find out: what was asked and answered, and the decision. */
export const reviewScreen: Screen = {
  path: '/reviews/:kind/:merchantCode/:idPayment',
  permission: 'reviews.read',
  async show(visit) {
    const detail = await visit.api.get(pathTo(visit), ReviewDetailSchema)
    const { idPayment, kind, merchantCode, money, process } = detail
    return {
      title: `${idPayment}: review`,
      nav: 'Reviews',
      content: html`<nav class="crumbs" aria-label="Breadcrumb"><a href="/reviews">Reviews</a>${icon('right')}<span class="code" aria-current="page">${idPayment}</span></nav>
${refusedNote(visit)}${doneNote(visit, detail)}
<div class="hero"><div><h1 class="hero-sum">${moneyHtml(money)}<span class="vh">, ${kindWords(kind).toLowerCase()} ${idPayment}</span></h1><p class="hero-line">${statusChip(process.status, process.processorStatus)}<span class="code">${idPayment}</span>${copyButton('the payment id', idPayment)}<span>${kindWords(kind)} of ${merchantCode}</span></p></div><div class="acts"><a class="btn" href="${paymentHref(detail)}">Open the payment</a></div></div>
${holdPart(detail)}${factsOf(detail)}
${inquiryPart(detail)}
${timelinePart(detail)}
${decision(visit, detail)}`,
    }
  },
  acts: {
    decide: {
      permission: 'reviews.decide',
      async perform(visit, form) {
        const body = { outcome: form.get('outcome') ?? '', reason: form.get('reason')?.trim() ?? '' }
        await visit.api.post(`${pathTo(visit)}/!decide`, ReviewDetailSchema, { body })
        return 'decided'
      },
    },
  },
}

const pathTo = ({ name }: Visit): string =>
  pathOf`/operator/reviews/${name('kind')}/${name('merchantCode')}/${name('idPayment')}`

/** Said only where it is so: the last word of this operator, and whether it was carried out. */
function doneNote({ query, me }: Visit, detail: Detail): Html | undefined {
  const mine = detail.inquiries.filter((each) => isWord(each) && each.operatorCode === me.operatorCode).at(-1)
  if (query.get('done') !== 'decided' || mine === undefined) return undefined
  const words = (OUTCOMES[mine.answer]?.words ?? wordsOf(mine.answer)).toLowerCase()
  return mine.counts === true && needed(detail, mine.answer) > 1
    ? note(
        'info',
        html`<b>You decided: ${words}.</b> Nothing has followed yet: another operator has to say the same.`,
      )
    : note('good', html`<b>Decided: ${words}.</b> The payment is as it shows here.`)
}

/** Nothing became of a payment on hold: it is not decided here. */
function holdPart(detail: Detail): Html | undefined {
  const { process, timeline } = detail
  if (process.status !== 'CREATED' || process.processorStatus !== 'ON_HOLD') return undefined
  const { actor = '', reason } = timeline.findLast((entry) => entry.processorStatus === 'ON_HOLD') ?? {}
  const by = actor.startsWith(OPERATOR) ? actor.slice(OPERATOR.length) : 'the gateway'
  return note(
    'warn',
    html`<b>Put on hold by ${by}${reason !== undefined && `: ${reason}`}.</b> No institution has it. <a href="${paymentHref(detail)}">Release or cancel it</a>`,
  )
}

const OPERATOR = 'operator:'

const isWord = ({ question }: Inquiry): boolean => question === 'OPERATOR'

const needed = ({ outcomes }: Detail, outcome: string): number =>
  outcomes.find((each) => each.outcome === outcome)?.operatorsNeeded ?? 1

function factsOf(detail: Detail): Html {
  const { reference, rail, paymentOperatorCode, paymentMethodCode, submittedAt, fee } = detail
  const list: [string, HtmlValue][] = [
    ['Rail', paymentOperatorCode === undefined ? rail : `${rail}, ${paymentOperatorCode}`],
    ['Reference', html`<span class="code">${reference}</span> ${copyButton('the reference', reference)}`],
    ['Method', wordsOf(paymentMethodCode)],
    ['Fee', moneyText(fee)],
  ]
  if (submittedAt !== undefined) list.push(['Handed over, UTC', momentHtml(submittedAt)])
  return facts(list)
}

const QUESTIONS: Readonly<Record<string, string>> = {
  SUBMIT: 'Handed over',
  INQUIRE: 'Asked',
  ADVANCE: 'Asked',
  NOTIFICATION: 'Told unasked',
  STATEMENT: 'By a statement',
  TRIGGER: 'Simulated',
  OPERATOR: 'Operator',
}

function inquiryPart({ inquiries, inquiriesRemovedUntil, timeline }: Detail): Html {
  const lastAt = timeline.at(-1)?.happenedAt
  const removed =
    inquiriesRemovedUntil !== undefined &&
    (lastAt === undefined || lastAt < inquiriesRemovedUntil) &&
    html`<p class="hint">Evidence before ${momentText(inquiriesRemovedUntil)} UTC was removed.</p>`
  const columns = [
    { name: 'Answer' },
    { name: 'By' },
    { name: 'Times', style: 'n hide-sm' },
    { name: 'Last, UTC', style: 'n' },
    { name: 'Evidence', style: 'hide-md' },
  ]
  const rows = inquiries.toReversed().map(inquiryRow)
  return html`<section aria-labelledby="h-i"><div class="bar"><h2 id="h-i">What was asked, answered and decided</h2><p>Newest first</p></div>${rows.length === 0 ? html`<p class="quiet">Nothing was asked yet.</p>` : table('What was asked, answered and decided', columns, rows)}${removed}</section>`
}

const DIGITS_SHOWN = 12

function inquiryRow(inquiry: Inquiry): readonly HtmlValue[] {
  const { question, operatorCode, reasonCode, times, lastAnsweredAt, digest } = inquiry
  return [
    answerOf(inquiry),
    html`${QUESTIONS[question] ?? wordsOf(question)}${operatorCode !== undefined && ` ${operatorCode}`}${reasonCode !== undefined && html`<span class="sub">${wordsOf(reasonCode)}</span>`}`,
    times,
    html`<span class="quiet">${momentHtml(lastAnsweredAt)}</span>`,
    digest === undefined ? '' : html`<span class="code quiet">${digest.slice(0, DIGITS_SHOWN)}</span>`,
  ]
}

function answerOf(inquiry: Inquiry): Html {
  const { answer, contradicts, counts, reason } = inquiry
  const words = (isWord(inquiry) ? OUTCOMES[answer]?.words : undefined) ?? wordsOf(answer)
  return html`${words}${contradicts && html` <b class="bad">contradicts our books</b>`}${counts === false && html` <span class="quiet">about an earlier state</span>`}${reason !== undefined && html`<span class="sub">${reason}</span>`}`
}

function timelinePart({ timeline }: Detail): Html {
  const rows = timeline
    .toReversed()
    .map((entry): readonly HtmlValue[] => [
      statusChip(entry.status, entry.processorStatus),
      html`${(entry.actor ?? '').replace(/^operator:/, '')}${entry.evidence !== undefined && html`<span class="sub">${wordsOf(entry.evidence.class)}</span>`}`,
      entry.reason ?? '',
      html`<span class="quiet">${momentHtml(entry.happenedAt)}</span>`,
    ])
  const columns = [
    { name: 'Status' },
    { name: 'By' },
    { name: 'Why', style: 'hide-sm' },
    { name: 'When, UTC', style: 'n' },
  ]
  return html`<details class="more section-s"><summary>Statuses so far (${timeline.length})</summary>${table('Statuses, the newest first', columns, rows)}</details>`
}

interface Outcome {
  readonly words: string
  readonly says: string
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  EXECUTED: { words: 'Executed', says: 'Exactly the money that was asked for moved.' },
  NOT_EXECUTED: { words: 'Not executed', says: 'It did not move, and will not.' },
  RETURNED: { words: 'Returned', says: 'It moved, and came back.' },
  STILL_WAITING: { words: 'Still waiting', says: 'The institution is asked again.' },
  UNCHANGED: { words: 'Unchanged', says: 'The payment stays as it is, and leaves this list.' },
}

/** Both people from the start. Only outcomes that fit the payment are offered. */
function decision(visit: Visit, detail: Detail): Html | undefined {
  const { outcomes } = detail
  if (outcomes.length === 0) return undefined
  const said = detail.inquiries.filter((each) => isWord(each) && each.counts === true)
  const hands = said.map(
    ({ operatorCode = '', answer, lastAnsweredAt, reason }) =>
      html`<li><span class="face face-2" aria-hidden="true">${initials(operatorCode)}</span><span>${operatorCode}: ${(OUTCOMES[answer]?.words ?? answer).toLowerCase()}, ${momentText(lastAnsweredAt)}${reason !== undefined && html`<small>“${reason}”</small>`}</span></li>`,
  )
  const hasDecided = said.some(({ operatorCode }) => operatorCode === visit.me.operatorCode)
  const open = html`<li><span class="face face-empty" aria-hidden="true">${hasDecided ? '?' : initials(visit.me.name)}</span><span>${hasDecided ? 'Another operator' : 'You decide'}<small>${said.length === 0 ? 'What says that money moved, or did not, takes two who agree.' : 'Who says the same carries it out.'}</small></span></li>`
  const people = html`<ol class="hands">${hands}${open}${said.length === 0 && html`<li><span class="face face-empty" aria-hidden="true">?</span><span>Another operator<small>Says the same, or nothing follows.</small></span></li>`}</ol>`
  if (!visit.may('reviews.decide')) return html`<div class="decision">${people}</div>`
  return html`<form class="decision" method="post" action="${visit.path}/decide${visit.search}"><h2 class="vh">Decision</h2>${visit.formToken}<button hidden disabled></button>${people}${outcomeChoice(visit, detail)}<div class="decide"><label class="field grow"><span class="vh">Reason</span><input class="input" name="reason" required maxlength="250" autocomplete="off" placeholder="How you know: statement of 21 November, line 14. No names" value="${visit.refused?.form.get('reason') ?? ''}"></label><button class="btn btn-main btn-mid">${icon('check')}Decide</button></div></form>`
}

function outcomeChoice({ refused }: Visit, { outcomes }: Detail): Html {
  const typed = refused?.form.get('outcome')
  return html`<fieldset class="outcomes"><legend class="vh">What became of the money</legend>${outcomes.map(({ outcome, operatorsNeeded }) => html`<label><input type="radio" name="outcome" value="${outcome}" required${outcome === typed && html` checked`}><span><b>${OUTCOMES[outcome]?.words ?? wordsOf(outcome)}</b><small>${OUTCOMES[outcome]?.says ?? ''} ${operatorsNeeded > 1 ? `Takes ${plural(operatorsNeeded, 'operator')}.` : ''}</small></span></label>`)}</fieldset>`
}

import { attributes, type Html, html } from '../html.ts'
import type { Option, Wish } from '../scenarios.ts'
import { form, initialOf, leaveLink, methodName, notice, quietLink, submit } from './parts.ts'
import { amountText, type Page, type View } from './view.ts'

// The choice of a method, and of a bank or wallet.

interface MethodChoice {
  readonly options: readonly Option[]
  readonly current: Wish | undefined
  readonly isGone: boolean
  /** The form was sent without a choice. */
  readonly isMissing: boolean
}

export function chooseMethod(view: View, { options, current, isGone, isMissing }: MethodChoice): Page {
  const { say } = view.texts
  const items = options.map((option, index) =>
    choice({
      name: 'methodCode',
      value: option.paymentMethodCode,
      shown: methodName(view, option.paymentMethodCode, option.name),
      note: flowNote(view, option.flow),
      isChecked: current?.methodCode === option.paymentMethodCode,
      id: index === 0 ? 'first-choice' : undefined,
    }),
  )
  const title = say('choose.title', { amount: amountText(view) })
  const content = html`${isMissing && faults(view, say('choose.missing'))}
${isGone && notice('warning', html`<p>${say('choose.suggestedUnavailable')}</p>`)}
${form(view, 'choose', html`<fieldset><legend class="visually-hidden">${title}</legend><ul class="choices">${items}</ul></fieldset>${submit(say('common.continue'))}`)}
${leaveLink(view, false)}`
  return {
    heading: title,
    tab: say('title.pay', { amount: amountText(view) }),
    content,
    step: 'choose',
    isFaulty: isMissing,
  }
}

const FLOWS = ['REDIRECT', 'INSTRUCTIONS', 'QR', 'REFERENCE'] as const

function flowNote({ texts }: View, flow: string): string | undefined {
  const known = FLOWS.find((each) => each === flow)
  return known && texts.say(`flow.${known}`)
}

interface OperatorChoice {
  readonly option: Option
  readonly current: string | undefined
  readonly isGone: boolean
  readonly mayChange: boolean
  readonly isMissing: boolean
}

/** From so many on, a list is searched. */
const SEARCHED_FROM = 7

export function chooseOperator(view: View, asked: OperatorChoice): Page {
  const { say } = view.texts
  const { option, current } = asked
  const kind = option.paymentMethodCode === 'WALLET' ? 'wallet' : 'bank'
  const isSearched = option.paymentOperators.length >= SEARCHED_FROM
  const items = option.paymentOperators.map(({ code, name }, index) =>
    choice({
      name: 'operatorCode',
      value: code,
      shown: name,
      monogram: initialOf(name),
      isChecked: current === code,
      id: index === 0 ? 'first-choice' : undefined,
      searched: `${name} ${code.replaceAll('_', ' ')}`,
    }),
  )
  const title = say(kind === 'wallet' ? 'choose.wallet' : 'choose.bank')
  const list = html`<fieldset data-filter-group><legend class="visually-hidden">${title}</legend><ul class="choices">${items}</ul></fieldset>`
  const content = html`${asked.isMissing && faults(view, say('choose.missingOperator'))}
${asked.isGone && notice('warning', html`<p>${say('choose.suggestedUnavailable')}</p>`)}
${form(
  view,
  'choose',
  html`<input type="hidden" name="methodCode" value="${option.paymentMethodCode}"><input type="hidden" name="ofOperators" value="1">
${isSearched ? searchable(view, kind, list) : list}
${submit(say('common.continue'))}`,
)}
${asked.mayChange && html`<p>${say(kind === 'wallet' ? 'choose.walletNotListed' : 'choose.bankNotListed')} <a href="${view.base}?step=method">${say('choose.chooseAnotherWay')}</a></p>`}
${leaveLink(view, false)}`
  return { heading: title, content, step: 'choose', isFaulty: asked.isMissing }
}

function searchable({ texts }: View, kind: 'bank' | 'wallet', list: Html): Html {
  const isWallet = kind === 'wallet'
  return html`<div data-enhance="filter" data-filter-results="${texts.template('choose.results')}" data-filter-none="${texts.say('choose.noResults')}">
<div class="field" data-filter-tools hidden><label for="search">${texts.say(isWallet ? 'choose.searchWallet' : 'choose.searchBank')}</label>
<input id="search" type="search" autocomplete="off" data-filter-input></div>
<p class="hint" data-filter-count></p>
${list}
</div>`
}

interface ChoiceOf {
  readonly name: string
  readonly value: string
  readonly shown: string
  readonly note?: string | undefined
  readonly monogram?: string
  readonly isChecked: boolean
  readonly id: string | undefined
  readonly searched?: string
}

function choice({ name, value, shown, note, monogram, isChecked, id, searched }: ChoiceOf): Html {
  const radio = attributes({ type: 'radio', name, value, id, checked: isChecked, required: true })
  const logo =
    monogram !== undefined && html`<span class="choice__logo monogram" aria-hidden="true">${monogram}</span>`
  return html`<li class="choice"${attributes({ 'data-filter-item': searched })}><label><input${radio}> ${logo} <span class="choice__name">${shown}</span>${note !== undefined && html` <span class="choice__note">${note}</span>`}</label></li>`
}

function faults({ texts: { say } }: View, text: string): Html {
  return html`<div class="summary" tabindex="-1" autofocus role="alert"><h2>${say('details.faults', { count: 1 })}</h2><ul><li><a href="#first-choice">${text}</a></li></ul></div>`
}

/** The way to another method. */
export const changeLink = (view: View, step: 'method' | 'operator'): Html =>
  quietLink(`${view.base}?step=${step}`, view.texts.say('common.change'))

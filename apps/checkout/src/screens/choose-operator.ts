import { type Html, html } from '@tollgate/runtime/html'
import type { Choice } from '../records.ts'
import type { Operator, Option } from '../scenarios.ts'
import { choice } from './choice.ts'
import { monogramTile } from './icons.ts'
import { form, leaveLink, notice } from './parts.ts'
import type { Page, View } from './view.ts'

// The choice of a bank or wallet: the most used first, then from A to Z, then what is closed just now.

interface OperatorChoice {
  readonly option: Option
  /** What the gateway knows beside the option. */
  readonly known: Choice | undefined
  readonly current: string | undefined
  readonly isGone: boolean
  readonly mayChange: boolean
}

/** From so many on, a list is searched, and the most used are apart. */
const SEARCHED_FROM = 7
const POPULAR_MAX = 6

export function chooseOperator(view: View, asked: OperatorChoice): Page {
  const { say } = view.texts
  const { option, mayChange, isGone } = asked
  const isWallet = option.paymentMethodCode === 'WALLET'
  const rows = arrange(view, asked)
  const list = isSearched(option)
    ? searchable(
        view,
        { isWallet, hasBic: rows.some(({ bic }) => bic !== undefined) },
        grouped(view, asked, rows),
      )
    : html`<ul class="choices" role="list">${rows.map((row) => rowOf(view, asked, row))}</ul>`
  const chosen = html`<input type="hidden" name="methodCode" value="${option.paymentMethodCode}">`
  const content = html`${isGone && notice('warning', html`<p>${say('choose.suggestedUnavailable')}</p>`)}
${form(view, 'choose', html`${chosen}${list}`)}
${mayChange && html`<p>${say(isWallet ? 'choose.walletNotListed' : 'choose.bankNotListed')} <a href="${view.base}?step=method">${say('choose.chooseAnotherWay')}</a></p>`}
${leaveLink(view, false)}`
  return { heading: say(isWallet ? 'choose.wallet' : 'choose.bank'), content }
}

const isSearched = ({ paymentOperators }: Option): boolean => paymentOperators.length >= SEARCHED_FROM

type Group = 'POPULAR' | 'ALL' | 'CLOSED'

interface Row extends Operator {
  readonly group: Group
  readonly isSlow: boolean
  readonly bic: string | undefined
  readonly aliases: readonly string[]
}

/** In the order in which they are shown. What is offered can be chosen, whatever else is known. */
function arrange({ texts }: View, { option, known }: OperatorChoice): readonly Row[] {
  const { compare } = new Intl.Collator(texts.language)
  const facts = new Map((known?.operators ?? []).map((each) => [each.code, each]))
  const byName = option.paymentOperators.toSorted((one, other) => compare(one.name, other.name))
  const rankOf = ({ code }: Operator): number => facts.get(code)?.popularRank ?? Number.POSITIVE_INFINITY
  const popular = byName
    .filter((each) => Number.isFinite(rankOf(each)))
    .sort((one, other) => rankOf(one) - rankOf(other))
    .slice(0, POPULAR_MAX)
  const offered = new Set(byName.map(({ code }) => code))
  const closed = (known?.operators ?? [])
    .filter(({ code, availability }) => availability === 'CLOSED' && !offered.has(code))
    .toSorted((one, other) => compare(one.name, other.name))
  const all = byName.filter((each) => !popular.includes(each))
  return [
    ...popular.map((each) => [each, 'POPULAR'] as const),
    ...all.map((each) => [each, 'ALL'] as const),
    ...closed.map((each) => [each, 'CLOSED'] as const),
  ].map(([{ code, name }, group]) => {
    const { bic, aliases = [], availability } = facts.get(code) ?? {}
    return { code, name, group, bic, aliases, isSlow: availability === 'DELAYED' }
  })
}

function rowOf({ texts: { say } }: View, { option, current }: OperatorChoice, row: Row): Html {
  const { code, name, group, isSlow } = row
  const isClosed = group === 'CLOSED'
  return choice({
    name: 'operatorCode',
    value: code,
    shown: name,
    logo: monogramTile(code, name),
    note: isClosed ? say('choose.closed') : isSlow ? say('choose.delayed') : undefined,
    isCurrent: current === code,
    isClosed,
    searched: isSearched(option) ? searchedOf(row) : undefined,
  })
}

/** Its names, its BIC, and of its code what is in none of them: `ceska` and `GIBA` find it as well. */
function searchedOf({ code, name, bic, aliases }: Row): string {
  const names = [name, ...aliases, ...(bic === undefined ? [] : [bic])].join(' ')
  const words = names.toLowerCase().split(/\s+/)
  return [names, ...code.split('_').filter((word) => !words.includes(word.toLowerCase()))].join(' ')
}

function grouped(view: View, asked: OperatorChoice, rows: readonly Row[]): readonly Html[] {
  const { say } = view.texts
  const isWallet = asked.option.paymentMethodCode === 'WALLET'
  const groups = [
    ['POPULAR', say('choose.popular')],
    ['ALL', say(isWallet ? 'choose.otherWallets' : 'choose.otherBanks')],
    ['CLOSED', say('choose.unavailable')],
  ] as const
  return groups.flatMap(([group, title]) => {
    const items = rows.filter((row) => row.group === group).map((row) => rowOf(view, asked, row))
    if (items.length === 0) return []
    // Where all is one list, there is nothing to tell apart.
    const isAlone = items.length === rows.length
    return html`<section class="group" data-filter-group>${!isAlone && html`<h2>${title}</h2>`}<ul class="choices" role="list">${items}</ul></section>`
  })
}

interface Searching {
  readonly isWallet: boolean
  readonly hasBic: boolean
}

function searchable({ texts }: View, { isWallet, hasBic }: Searching, groups: readonly Html[]): Html {
  const hint = hasBic && html`<p class="hint" id="search-hint">${texts.say('choose.searchHint')}</p>`
  return html`<div data-enhance="filter" data-filter-results="${texts.template('choose.results')}" data-filter-none="${texts.say('choose.noResults')}">
<div class="field" data-filter-tools hidden><label for="search">${texts.say(isWallet ? 'choose.searchWallet' : 'choose.searchBank')}</label>
${hint}<input id="search" type="search" autocomplete="off" data-filter-input${hasBic && html` aria-describedby="search-hint"`}></div>
<p class="hint" data-filter-count></p>
${groups}
</div>`
}

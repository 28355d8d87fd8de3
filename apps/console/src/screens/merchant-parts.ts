import type {
  OperatorMerchantDetailSchema,
  OperatorMerchantListSchema,
  Read,
  ReadItem,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { icon } from '../icons.ts'
import { pathOf } from '../operator-api.ts'
import { chip } from '../parts.ts'
import type { Visit } from '../visit.ts'

// What the screens of merchants share.

export type Merchant = Read<typeof OperatorMerchantDetailSchema>
export type ListedMerchant = ReadItem<typeof OperatorMerchantListSchema>

/** Where a merchant has its page. */
export const merchantHref = (merchantCode: string): string => pathOf`/merchants/${merchantCode}`

/** Where the operator API has it. */
export const merchantRoute = (merchantCode: string): string => pathOf`/operator/merchants/${merchantCode}`

export const merchantChip = ({ status, cell }: Pick<ListedMerchant, 'status' | 'cell'>): Html => {
  if (cell !== undefined) return chip('mute', 'pause', `In cell ${cell}`)
  return status === 'ACTIVE' ? chip('good', 'check', 'Active') : chip('mute', 'pause', 'Disabled')
}

/** The way from the list to where somebody is. */
export const crumbs = (steps: readonly (readonly [name: string, href: string])[], here: HtmlValue): Html =>
  html`<nav class="crumbs" aria-label="Breadcrumb">${steps.map(([name, href]) => html`<a href="${href}">${name}</a>${icon('right')}`)}<span aria-current="page">${here}</span></nav>`

/** A part of a screen under its own heading. */
export const section = (
  id: string,
  title: string,
  { says, content }: { readonly says?: HtmlValue; readonly content: HtmlValue },
): Html =>
  html`<section class="section" id="${id}" aria-labelledby="h-${id}"><div class="bar"><h2 id="h-${id}">${title}</h2>${says !== undefined && html`<p>${says}</p>`}</div>${content}</section>`

/** A second look at what a press would end: by the query, so that it has an address. */
export const secondLook = (
  { query }: Visit,
  { name, value, title, says, act, back }: SecondLook,
): Html | undefined =>
  query.get(name) === value
    ? html`<div class="look" role="group" aria-label="${title}"><p><b>${title}</b> ${says}</p><div class="acts">${act}<a class="btn" href="${back}">Keep it</a></div></div>`
    : undefined

interface SecondLook {
  /** What in the query asks for it. */
  readonly name: string
  readonly value: string
  readonly title: string
  readonly says: string
  readonly act: Html
  readonly back: string
}

import {
  CustomerErasureSchema,
  OperatorCustomerListSchema,
  OperatorCustomerSchema,
  type Read,
  type ReadItem,
} from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { momentHtml, plural, wordsOf } from '../format.ts'
import { actButton, actForm, given, looseNote, textField, typedInto } from '../forms.ts'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { ApiRefusal, pathOf, searchOf } from '../operator-api.ts'
import { chip, empty, note, pager, pairs, table } from '../parts.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { merchantSteps, ownMerchantOf } from './member-parts.ts'
import { crumbs, merchantHref } from './merchant-parts.ts'

type Customer = Read<typeof OperatorCustomerSchema>
type Listed = ReadItem<typeof OperatorCustomerListSchema>

const LIMIT = '50'

const customersHref = (merchantCode: string): string => `${merchantHref(merchantCode)}/customers`
const customerHref = (merchantCode: string, idCustomer: string): string =>
  `${customersHref(merchantCode)}/${encodeURIComponent(idCustomer)}`
const routeOf = ({ name }: Visit): string =>
  pathOf`/operator/customers/${name('merchantCode')}/${name('idCustomer')}`

/** The customers of a merchant by their ids, without what names them. */
export const customersScreen: Screen = {
  path: '/merchants/:merchantCode/customers',
  permission: 'customers.read',
  forMembers: true,
  async show(visit) {
    const { query, path } = visit
    const merchantCode = visit.name('merchantCode')
    const find = html`<form class="convert" action="${path}">${textField({ name: 'id', label: 'Customer id', value: query.get('id') ?? '', isCode: true, hint: 'The whole id, as the merchant gave it' })}<button class="btn">${icon('search')}Find</button></form>`
    return {
      title: `${merchantCode}: customers`,
      nav: navOf(visit),
      content: html`${crumbs(merchantSteps(visit, merchantCode), 'Customers')}
<div class="head"><h1>Customers of ${merchantCode}</h1><p>By their ids, without what names them</p></div>
${find}
<div class="section-s">${await listOf(visit, merchantCode)}</div>`,
    }
  },
}

const navOf = (visit: Visit): Page['nav'] => (ownMerchantOf(visit) === undefined ? 'Merchants' : 'Customers')

async function listOf(visit: Visit, merchantCode: string): Promise<HtmlValue> {
  const { api, query, path } = visit
  const id = query.get('id')?.trim()
  try {
    if (id !== undefined && id !== '') {
      const found = await api.get(pathOf`/operator/customers/${merchantCode}/${id}`, OperatorCustomerSchema)
      return customerTable([found])
    }
    const { data, nextCursor } = await api.get(
      pathOf`/operator/customers/${merchantCode}`,
      OperatorCustomerListSchema,
      { cursor: query.get('cursor') ?? undefined, limit: LIMIT },
    )
    if (data.length === 0)
      return empty('user', 'No customers', { says: 'The merchant keeps no record of its customers here.' })
    return html`${customerTable(data)}${pager({ path, query, nextCursor, says: plural(data.length, 'customer') })}`
  } catch (error) {
    if (!(error instanceof ApiRefusal) || ![400, 410].includes(error.status) || id === undefined) throw error
    return empty('search', 'No such customer', { says: `${merchantCode} has no customer ${id}.` })
  }
}

const LOOKS: Readonly<Record<string, Parameters<typeof chip>>> = {
  ACTIVE: ['good', 'check', 'Active'],
  BLOCKED: ['warn', 'pause', 'Blocked'],
  ERASED: ['mute', 'x', 'Erased'],
}

const statusOf = ({ status }: Pick<Listed, 'status'>): Html =>
  chip(...(LOOKS[status] ?? ['mute', 'help', wordsOf(status)]))

const customerTable = (list: readonly Listed[]): Html =>
  table(
    'Customers',
    [
      { name: 'Customer' },
      { name: 'Status' },
      { name: 'Segment', style: 'hide-sm' },
      { name: 'Country', style: 'hide-sm' },
      { name: 'Since, UTC', style: 'n' },
    ],
    list.map((customer) => [
      html`<a href="${customerHref(customer.merchantCode, customer.idCustomer)}"><span class="code">${customer.idCustomer}</span></a>`,
      statusOf(customer),
      customer.segmentCode ?? '–',
      customer.countryCode ?? '–',
      html`<span class="quiet">${momentHtml(customer.createdAt)}</span>`,
    ]),
  )

/** One customer, masked; blocking and erasing them. */
export const customerScreen: Screen = {
  path: '/merchants/:merchantCode/customers/:idCustomer',
  permission: 'customers.read',
  forMembers: true,
  show: customerPage,
  acts: {
    block: switchAct('!block', 'blocked'),
    unblock: switchAct('!unblock', 'unblocked'),
    erase: { permission: 'customers.change', perform: erase },
  },
}

function switchAct(operation: string, done: string): Act {
  return {
    permission: 'customers.change',
    async perform(visit) {
      await visit.api.post(`${routeOf(visit)}/${operation}`, OperatorCustomerSchema)
      return done
    },
  }
}

async function customerPage(visit: Visit): Promise<Page> {
  const customer = await visit.api.get(routeOf(visit), OperatorCustomerSchema)
  const { merchantCode, idCustomer, status } = customer
  const payments = html`<div class="acts"><a class="btn" href="/payments${searchOf({ idCustomer, merchantCode })}">${icon('in')}Payments</a></div>`
  return {
    title: `${idCustomer}: customer of ${merchantCode}`,
    nav: navOf(visit),
    content: html`${crumbs([...merchantSteps(visit, merchantCode), ['Customers', customersHref(merchantCode)]], idCustomer)}
<div class="head"><h1 class="code">${idCustomer}</h1>${statusOf(customer)}${visit.may('payouts.read') && payments}</div>
${looseNote(visit)}${doneNote(visit)}
${shownOf(customer)}
${visit.may('customers.change') && status !== 'ERASED' && changes(visit, customer)}`,
  }
}

const NONE = html`<span class="quiet">None</span>`

function shownOf({ masked, segmentCode, countryCode, createdAt, erasedAt }: Customer): Html {
  const accounts = (masked?.accounts ?? []).map(
    ({ accountName, accountNumber }) =>
      html`<li>${accountName}, <span class="code">${accountNumber}</span></li>`,
  )
  return html`<section class="panel"><h2>What is shown of them</h2><div class="panel-body">${pairs([
    ['Name', masked?.name ?? NONE],
    ['Accounts', accounts.length === 0 ? NONE : html`<ul>${accounts}</ul>`],
    ['Segment', segmentCode ?? NONE],
    ['Country', countryCode ?? NONE],
    ['Since, UTC', momentHtml(createdAt)],
    erasedAt === undefined ? undefined : ['Erased, UTC', momentHtml(erasedAt)],
  ])}</div></section>`
}

const DONE: Readonly<Record<string, string>> = {
  blocked: 'Blocked: no new payments; those under way go on.',
  unblocked: 'The customer may pay again.',
}

function doneNote({ query }: Visit): Html | undefined {
  const says = DONE[query.get('done') ?? '']
  return says === undefined ? undefined : note('good', says)
}

function changes(visit: Visit, { merchantCode, idCustomer, status }: Customer): Html {
  const path = customerHref(merchantCode, idCustomer)
  const isBlocked = status === 'BLOCKED'
  const block = actButton(visit, {
    path,
    verb: isBlocked ? 'unblock' : 'block',
    icon: isBlocked ? 'check' : 'pause',
    words: isBlocked ? 'Unblock' : 'Block',
  })
  const typed = typedInto(visit, 'erase')
  const isAsked = visit.query.has('erase') || typed.isRefused
  if (!isAsked)
    return html`<div class="acts section-s">${block}<a class="btn btn-bad" href="${path}?erase=1">${icon('x')}Erase…</a></div>`
  const warning = html`<p class="field-wide"><b>This cannot be undone.</b> Names, accounts and addresses of the customer and of their payments are erased for ever. The payments, their amounts and the ledger stay; the id stays taken.</p>`
  const fields = html`${warning}${textField({ name: 'repeated', label: `Type ${idCustomer} to erase`, value: typed.value('repeated'), isRequired: true, isCode: true })}`
  const form = actForm(
    { ...visit, search: '' },
    {
      path,
      verb: 'erase',
      fields,
      button: 'Erase for ever',
      style: 'btn-bad',
    },
  )
  return html`<section class="panel section-s"><h2>Erase ${idCustomer}</h2><div class="panel-body">${form}<p class="section-s"><a href="${path}">Keep the customer</a></p></div></section>`
}

/** The second step has the id typed: a press that was meant for somebody else erases nobody. */
async function erase(visit: Visit, form: URLSearchParams): Promise<Page> {
  const [merchantCode, idCustomer] = [visit.name('merchantCode'), visit.name('idCustomer')]
  if (given(form, 'repeated') !== idCustomer)
    throw new ApiRefusal(400, { code: 'NOT_REPEATED', message: `Type ${idCustomer} to erase this customer.` })
  const { erased, kept } = await visit.api.post(`${routeOf(visit)}/!erase`, CustomerErasureSchema)
  const counts = [
    ['Account data of payments', String(erased.personalData)],
    ['Answers to callbacks', String(erased.callbackAnswers)],
    ['Payers in statements', String(erased.statementLines)],
  ] as const
  const still =
    kept.length === 0
      ? html`<p>Nothing is kept that names them.</p>`
      : table(
          'What is kept',
          [
            { name: 'What' },
            { name: 'How many', style: 'n' },
            { name: 'Until' },
            { name: 'Why', style: 'hide-sm' },
          ],
          kept.map(({ what, count, until, why }) => [wordsOf(what), String(count), until, why]),
        )
  return {
    title: `${idCustomer} is erased`,
    nav: navOf(visit),
    content: html`${crumbs([...merchantSteps(visit, merchantCode), ['Customers', customersHref(merchantCode)]], idCustomer)}
<div class="head"><h1>${idCustomer} is erased</h1></div>
<section class="panel"><h2>Erased now</h2><div class="panel-body">${pairs(counts)}</div></section>
<section class="section" aria-labelledby="h-kept"><div class="bar"><h2 id="h-kept">Kept</h2></div>${still}</section>
<p class="acts section-s"><a class="btn btn-main" href="${customersHref(merchantCode)}">Customers of ${merchantCode}</a></p>`,
  }
}

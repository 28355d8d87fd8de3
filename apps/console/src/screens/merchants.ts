import { OperatorMerchantListSchema, OperatorMerchantSchema, type Read } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { filterBar } from '../filters.ts'
import { plural } from '../format.ts'
import { actForm, areaField, folded, given, textField, tickField, typedInto } from '../forms.ts'
import type { Page } from '../frame.ts'
import { ApiRefusal, type Query } from '../operator-api.ts'
import { empty, pager, table, views, withQuery } from '../parts.ts'
import type { Screen, Visit } from '../visit.ts'
import { merchantPage } from './merchant.ts'
import { addKey, publicKeyField, setOrigins } from './merchant-access.ts'
import { enableAllMethods } from './merchant-methods.ts'
import { type ListedMerchant, merchantChip, merchantHref } from './merchant-parts.ts'

const PATH = '/merchants'
const LIMIT = '50'

/** All merchants, and a new one in one form. */
export const merchantsScreen: Screen = {
  path: PATH,
  permission: 'merchants.read',
  async show(visit) {
    const page = await visit.api.get('/operator/merchants', OperatorMerchantListSchema, {
      ...filtersIn(visit),
      cursor: visit.query.get('cursor') ?? undefined,
      limit: LIMIT,
    })
    return {
      title: 'Merchants',
      nav: 'Merchants',
      content: html`<div class="head"><h1>Merchants</h1><p>By their codes</p><div class="acts">${visit.may('payouts.read') && html`<a class="btn" href="/blocked-accounts">Blocked accounts</a>`}</div></div>
${visit.may('merchants.change') && newMerchant(visit)}
${views(
  STATES.map(([status, name]) => ({
    name,
    href: withQuery(PATH, new URLSearchParams(), { status }),
    isCurrent: (visit.query.get('status') ?? '') === status,
  })),
)}
${filterBar(PATH, visit.query, [{ name: 'Name', fields: [{ name: 'name', label: 'Code or name', hint: 'A part of it is enough' }] }])}
${listOf(visit, page)}`,
    }
  },
  acts: {
    create: {
      permission: 'merchants.change',
      async perform(visit, form) {
        const merchantCode = given(form, 'merchantCode') ?? ''
        await visit.api.post('/operator/merchants', OperatorMerchantSchema, {
          body: { merchantCode, name: given(form, 'name') },
        })
        return furnish(visit, merchantCode, form)
      },
    },
  },
}

const STATES = [
  ['', 'All'],
  ['ACTIVE', 'Active'],
  ['DISABLED', 'Disabled'],
] as const

function newMerchant(visit: Visit): Html {
  const typed = typedInto(visit, 'create')
  const fields = html`${textField({ name: 'merchantCode', label: 'Merchant code', value: typed.value('merchantCode'), isRequired: true, maxLength: 64, isCode: true, hint: 'Its name in the API. It stays. Letters, digits, - and _.' })}${textField({ name: 'name', label: 'Shop’s name', value: typed.value('name'), maxLength: 140, hint: 'What customers see' })}${areaField({ name: 'allowedOrigins', label: 'Origins', value: typed.value('allowedOrigins'), rows: 2, hint: 'Where callbacks and returns may lead: one a line, such as https://shop.example' })}${publicKeyField(typed.value('publicKey'), false)}${visit.may('catalogue.change') && tickField({ name: 'methods', label: 'Enable every payment method', isTicked: typed.isTicked('methods') })}`
  const form = actForm(visit, { path: PATH, verb: 'create', fields, button: 'Create the merchant' })
  const isOpen = typed.isRefused || visit.query.has('new')
  return html`<div class="fold-row">${folded('New merchant', form, isOpen)}</div>`
}

/** What the form asks for beside the merchant itself. What is refused is there on the merchant's page, as it was typed. */
async function furnish(
  visit: Visit,
  merchantCode: string,
  form: URLSearchParams,
): Promise<{ readonly goTo: string } | Page> {
  const steps = [
    ['origins', () => setOrigins(visit, merchantCode, form), given(form, 'allowedOrigins')],
    ['add-key', () => addKey(visit, merchantCode, form), given(form, 'publicKey')],
    [
      'methods',
      () => enableAllMethods(visit, merchantCode),
      visit.may('catalogue.change') && given(form, 'methods'),
    ],
  ] as const
  const refusals: (readonly [key: string, error: ApiRefusal])[] = []
  for (const [key, step, typed] of steps) {
    const error = typeof typed === 'string' ? await refusalOf(step) : undefined
    if (error !== undefined) refusals.push([key, error])
  }
  const [first] = refusals
  if (first === undefined) return { goTo: `${merchantHref(merchantCode)}?done=created` }
  const kept = new URLSearchParams(form)
  kept.set('form', refusals.map(([key]) => key).join(' '))
  const message = `${merchantCode} was created. Not all of it: ${refusals.map(([, error]) => error.message).join(' ')}`
  const { status, code, requestId } = first[1]
  const error = new ApiRefusal(status, { message, code, ...(requestId !== undefined && { requestId }) })
  return merchantPage({ ...visit, ...atMerchant(merchantCode), refused: { form: kept, error } })
}

/** As if the merchant's own page had been asked for. */
const atMerchant = (merchantCode: string): Pick<Visit, 'name' | 'path' | 'query' | 'search'> => ({
  name: () => merchantCode,
  path: merchantHref(merchantCode),
  query: new URLSearchParams(),
  search: '',
})

async function refusalOf(step: () => Promise<unknown>): Promise<ApiRefusal | undefined> {
  try {
    await step()
    return undefined
  } catch (error) {
    if (error instanceof ApiRefusal && error.status !== 401) return error
    throw error
  }
}

const filtersIn = ({ query }: Visit): Query => ({
  name: query.get('name')?.trim() || undefined,
  status: query.get('status') || undefined,
})

function listOf(visit: Visit, { data, nextCursor }: Read<typeof OperatorMerchantListSchema>): HtmlValue {
  const { query } = visit
  if (data.length === 0) {
    const isNarrowed =
      query.has('cursor') || Object.values(filtersIn(visit)).some((each) => each !== undefined)
    return empty('store', 'No merchants', {
      says: isNarrowed ? 'None fits these filters.' : 'None has been created yet.',
    })
  }
  const says = `${plural(data.length, 'merchant')}, by their codes`
  return html`${table(
    'Merchants, by their codes',
    [
      { name: 'Merchant' },
      { name: 'Status' },
      { name: 'Keys', style: 'n' },
      { name: 'Secrets', style: 'n hide-sm' },
      { name: 'Callbacks and returns lead to', style: 'hide-sm' },
      { name: 'Requests a second', style: 'n hide-md' },
    ],
    data.map(row),
  )}${pager({ path: PATH, query, nextCursor, says })}`
}

function row(merchant: ListedMerchant): readonly HtmlValue[] {
  const { merchantCode, channel, keys, secrets, rateLimitPerSecond } = merchant
  return [
    html`<a href="${merchantHref(merchantCode)}">${channel.name}</a><span class="sub code">${merchantCode}</span>`,
    merchantChip(merchant),
    keys.length === 0 ? html`<span class="warn">None</span>` : String(keys.length),
    String(secrets),
    html`<span class="quiet">${leadsTo(merchant)}</span>`,
    String(rateLimitPerSecond),
  ]
}

function leadsTo({ allowedOrigins, callbackOrigins, returnOrigins }: ListedMerchant): string {
  const all = [...new Set([callbackOrigins ?? allowedOrigins, returnOrigins ?? allowedOrigins].flat())]
  if (all.length > 0) return all.length === 1 ? (all[0] ?? '') : `${all[0] ?? ''} and ${all.length - 1} more`
  return callbackOrigins === undefined && returnOrigins === undefined ? 'Anywhere' : 'Nowhere'
}

import {
  MerchantLimitSchema,
  MerchantMethodsSchema,
  MerchantTermsSchema,
  OperatorMerchantDetailSchema,
} from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import type { Page } from '../frame.ts'
import { icon } from '../icons.ts'
import { ApiRefusal, pathOf } from '../operator-api.ts'
import { note } from '../parts.ts'
import { refusedNote } from '../refused.ts'
import type { Act, Screen, Visit } from '../visit.ts'
import { feeForm, placeFields, setFee } from './catalogue/fee-form.ts'
import { feeRows } from './catalogue/fee-table.ts'
import { directionViews } from './catalogue/fees.ts'
import { amountsOf, input, textOf, typedIn } from './catalogue/form.ts'
import { generalFee, matrix, ownOf, type Terms } from './catalogue/matrix.ts'
import { type Catalogue, type Direction, directionOf, type Method, readCatalogue } from './catalogue/shape.ts'

const DONE: Readonly<Record<string, string>> = {
  fee: 'The fee is set. Payments accepted from now on are charged by it.',
  limit: 'The limits are set.',
  enabled: 'Enabled.',
  disabled: 'Disabled. Accepted payments go on.',
}

/** What is agreed with a merchant: methods, fees, limits. */
export const merchantTermsScreen: Screen = {
  path: '/merchants/:merchantCode/terms',
  permission: 'catalogue.read',
  show: termsPage,
  acts: {
    'set-fee': {
      permission: 'catalogue.change',
      async perform(visit, form) {
        await setFee(visit, form, visit.name('merchantCode'))
        return 'fee'
      },
    },
    'set-limit': { permission: 'catalogue.change', perform: setLimit },
    enable: methodAct('!enable', 'enabled'),
    disable: methodAct('!disable', 'disabled'),
  },
}

function methodAct(operation: string, done: string): Act {
  return {
    permission: 'catalogue.change',
    async perform({ api, name }, form) {
      const path = `${pathOf`/operator/merchants/${name('merchantCode')}/methods`}/${operation}`
      const direction = textOf(form, 'direction')
      await api.post(path, MerchantMethodsSchema, {
        body: { methodCode: form.get('methodCode') ?? '', ...(direction !== undefined && { direction }) },
      })
      return done
    },
  }
}

async function setLimit({ api, name }: Visit, form: URLSearchParams): Promise<string> {
  const [direction, methodCode, currencyCode] = ['direction', 'methodCode', 'currencyCode'].map(
    (each) => form.get(each) ?? '',
  )
  const path = pathOf`/operator/merchants/${name('merchantCode')}/limits/${direction ?? ''}/${methodCode ?? ''}/${currencyCode ?? ''}`
  const count = textOf(form, 'dailyCountMax')
  if (count !== undefined && !/^\d{1,10}$/.test(count))
    throw new ApiRefusal(400, {
      code: 'ATTRIBUTE_VALUE_INVALID',
      message: `dailyCountMax: ${JSON.stringify(count)} is not a whole number.`,
    })
  await api.put(path, MerchantLimitSchema, {
    body: {
      ...amountsOf(form, ['min', 'max', 'dailyAmountMax']),
      ...(count !== undefined && { dailyCountMax: Number(count) }),
    },
  })
  return 'limit'
}

interface Shown {
  readonly merchantCode: string
  readonly path: string
  readonly catalogue: Catalogue
  readonly terms: Terms
  readonly direction: Direction
}

async function termsPage(visit: Visit): Promise<Page> {
  const { api, query } = visit
  const merchantCode = visit.name('merchantCode')
  const [catalogue, terms, name] = await Promise.all([
    readCatalogue(api),
    api.get(pathOf`/operator/merchants/${merchantCode}/terms`, MerchantTermsSchema),
    nameOf(visit, merchantCode),
  ])
  const direction = directionOf(typedIn(visit, 'direction', query.get('kind') ?? ''))
  const shown = { merchantCode, path: pathOf`/merchants/${merchantCode}/terms`, catalogue, terms, direction }
  const done = DONE[query.get('done') ?? '']
  return {
    title: `${name}: terms`,
    content: html`<div class="head"><h1>${name}</h1><p class="code">${merchantCode}</p><div class="acts"><a class="btn" href="/catalogue/explain?merchantCode=${merchantCode}">${icon('help')}Why not offered?</a></div></div>
${refusedNote(visit)}${done !== undefined && note('good', done)}
<div class="bar section-s"><h2>Terms</h2><p>Blue edge: agreed with this merchant, others are those of the catalogue</p></div>
${directionViews(shown.path, query, direction)}
${termsMatrix(visit, shown)}
${ownFees(shown)}
${visit.may('catalogue.change') && forms(visit, shown)}`,
  }
}

async function nameOf({ api, may }: Visit, merchantCode: string): Promise<string> {
  if (!may('merchants.read')) return merchantCode
  const { channel } = await api.get(pathOf`/operator/merchants/${merchantCode}`, OperatorMerchantDetailSchema)
  return channel.name
}

const termsMatrix = (visit: Visit, { path, catalogue, terms, direction }: Shown): Html =>
  matrix({
    catalogue,
    direction,
    terms,
    actOf: (method) =>
      methodState(visit, { path, direction, method, isOn: terms.methods[direction].includes(method.code) }),
    hrefOf: visit.may('catalogue.change')
      ? ({ methodCode, currencyCode }) =>
          `${path}?kind=${direction}&method=${methodCode}&currency=${currencyCode}#set-fee`
      : undefined,
  })

interface MethodState {
  readonly path: string
  readonly direction: Direction
  readonly method: Method
  readonly isOn: boolean
}

function methodState({ formToken, may }: Visit, { path, direction, method, isOn }: MethodState): Html {
  const { code, name } = method
  const state = isOn ? html`<small>Enabled</small>` : html`<small class="warn">Not enabled</small>`
  if (!may('catalogue.change')) return state
  return html`${state}<form method="post" action="${path}/${isOn ? 'disable' : 'enable'}?kind=${direction}">${formToken}<input type="hidden" name="methodCode" value="${code}"><input type="hidden" name="direction" value="${direction}"><button class="btn">${isOn ? 'Disable' : 'Enable'}<span class="vh"> ${name}</span></button></form>`
}

/** Of a segment or of a payment operator: the cells have no place for them. */
function ownFees({ terms, direction }: Shown): Html | undefined {
  const special = terms.fees
    .filter((fee) => fee.direction === direction)
    .filter(({ segmentCode, operatorCode }) => segmentCode !== undefined || operatorCode !== undefined)
  if (special.length === 0) return undefined
  return html`<section class="section" aria-labelledby="h-own"><div class="bar"><h2 id="h-own">Fees of a segment or a payment operator</h2><p>These go before the fees above</p></div>${feeRows(special, true)}</section>`
}

function forms(visit: Visit, shown: Shown): Html {
  const { path, catalogue, terms, direction } = shown
  const cell = {
    methodCode: visit.query.get('method') ?? '',
    currencyCode: visit.query.get('currency') ?? '',
  }
  const own = ownOf(terms, direction, cell)
  const method = catalogue.methods.find(({ code }) => code === cell.methodCode)
  const now = own.fee ?? (method && generalFee(method, direction, cell.currencyCode))
  const kept = `?kind=${direction}`
  const amount = (name: string, label: string, value: string | undefined): Html =>
    input(visit, { name, label, value, isAmount: true })
  return html`<div class="two section"><section class="panel" id="set-fee" aria-labelledby="h-fee"><h2 id="h-fee">Set a fee</h2><div class="panel-body">${feeForm(visit, { catalogue, direction, action: `${path}/set-fee${kept}`, now })}</div></section>
<section class="panel" id="set-limit" aria-labelledby="h-lim"><h2 id="h-lim">Set limits</h2><div class="panel-body"><form method="post" action="${path}/set-limit${kept}">${visit.formToken}<div class="fields">${placeFields(visit, catalogue, direction)}${amount('min', 'Least amount', own.limit?.min)}${amount('max', 'Greatest amount', own.limit?.max)}${amount('dailyAmountMax', 'Amount a day', own.limit?.dailyAmountMax)}${amount('dailyCountMax', 'Payments a day', own.limit?.dailyCountMax?.toString())}</div><p class="acts form-acts"><button class="btn btn-main">Set the limits</button><span class="hint">What is left empty is not limited by the merchant’s terms. They can only narrow those of the catalogue.</span></p></form></div></section></div>`
}

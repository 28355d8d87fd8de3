import { type Html, html } from '@tollgate/runtime/html'
import { icon } from '../icons.ts'
import { searchOf } from '../operator-api.ts'
import type { Visit } from '../visit.ts'
import { ownMerchantOf } from './member-parts.ts'
import type { MoneyTerms } from './merchant-money.ts'
import { type Merchant, merchantHref } from './merchant-parts.ts'

// What a merchant lacks to be paid, and to be paid out.

interface Task {
  readonly isOpen: boolean
  readonly what: string
  readonly why: string
  /** Where it is done: the part of the merchant's page, and the section there. */
  readonly show: string
  readonly at: string
}

export function stillToDo(visit: Visit, merchant: Merchant, terms: MoneyTerms): Html | undefined {
  const { merchantCode } = merchant
  const open = [...accessTasks(merchant), ...moneyTasks(merchant, terms)].filter(({ isOpen }) => isOpen)
  if (open.length === 0) return undefined
  const items = open.map(
    ({ what, why, show, at }) =>
      html`<li><a href="${merchantHref(merchantCode)}${searchOf({ show })}#${at}"><span class="glyph glyph-warn" aria-hidden="true">${icon('alert')}</span><span><strong>${what}</strong><span class="quiet">${why}</span></span><span class="hide-sm"></span><svg class="i go" aria-hidden="true"><use href="#i-right"/></svg></a></li>
`,
  )
  return html`<section class="section-s to-do" aria-labelledby="h-todo"><div class="bar"><h2 id="h-todo">Left to do</h2><p>${whose(visit)}</p></div><ul class="todo">${items}</ul></section>`
}

function whose(visit: Visit): string {
  if (ownMerchantOf(visit) !== undefined) return 'Ask the operator of the gateway'
  return visit.may('merchants.change') ? 'Before the merchant can work' : 'By an administrator'
}

function accessTasks({
  keys,
  secrets,
  secretEnabled,
  allowedOrigins,
  callbackOrigins,
  returnOrigins,
}: Merchant): readonly Task[] {
  const noLimit = allowedOrigins.length === 0 && callbackOrigins === undefined && returnOrigins === undefined
  return [
    {
      isOpen: keys.length === 0 && !(secretEnabled && secrets > 0),
      what: 'No key',
      why: 'The merchant cannot ask for tokens.',
      show: '',
      at: 'keys',
    },
    {
      isOpen: noLimit,
      what: 'No origin',
      why: 'Callbacks and customers may be sent anywhere.',
      show: '',
      at: 'origins',
    },
    {
      isOpen: !noLimit && (callbackOrigins ?? allowedOrigins).length === 0,
      what: 'No origin of callbacks',
      why: 'Callback URLs are refused.',
      show: '',
      at: 'origins',
    },
  ]
}

function moneyTasks({ methods }: Merchant, { rules, settlement }: MoneyTerms): readonly Task[] {
  const isPaying = methods.PAYOUT.length > 0
  return [
    {
      isOpen: methods.PAYIN.length + methods.PAYOUT.length + methods.TOPUP.length === 0,
      what: 'No payment method',
      why: 'Every payment is refused.',
      show: 'terms',
      at: 'methods',
    },
    {
      isOpen: isPaying && rules?.length === 0,
      what: 'No payout rule',
      why: 'Payouts leave without approval.',
      show: 'terms',
      at: 'rules',
    },
    {
      isOpen: settlement?.cycles.length === 0,
      what: 'No settlement cycle',
      why: 'Earnings stay not settled.',
      show: 'terms',
      at: 'cycles',
    },
    {
      isOpen: settlement?.accounts.length === 0,
      what: 'No payout account',
      why: 'The merchant cannot be paid out.',
      show: 'terms',
      at: 'accounts',
    },
  ]
}

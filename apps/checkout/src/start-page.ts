import { type Drawing, lackOf, remedyFor, troublePage, type Wanted } from './drawing.ts'
import { FORMAT_TABLE, maskField } from './formats/index.ts'
import { type FormField, faultOf, formatOf, formOf } from './forms.ts'
import type { Choice, OfferedOption, Rejection } from './records.ts'
import type { CustomerField } from './redirect-url.ts'
import { nextStep, preselected, type Situation, type Step } from './scenarios.ts'
import { chooseMethod } from './screens/choose.ts'
import { chooseOperator } from './screens/choose-operator.ts'
import { details } from './screens/details.ts'
import type { Page } from './screens/view.ts'
import type { Session } from './sessions.ts'
import { moneyAt } from './visit.ts'

/** Before there is a payment: the five scenarios. */
export async function startPage(drawing: Drawing, wanted: Wanted): Promise<Page> {
  const { deps, visit, view } = drawing
  const { session } = visit
  const { order } = session
  const money = moneyAt(visit, undefined)
  if (order === undefined || money === undefined) return troublePage(deps, view, 'NOT_FOUND')
  const refusals = wanted.isRefused ? session.refusals : []
  if (refusals.some(({ code }) => ADDRESS_CODES.has(code)))
    return troublePage(deps, view, 'RETURN_NOT_ALLOWED', { remedy: remedyFor('RETURN_NOT_ALLOWED', visit) })
  const offer = await deps.directory.offer(session.token, money)
  if (offer.kind === 'NONE') return troublePage(deps, view, 'NO_OPTIONS', { reasons: offer.reasons })
  if (offer.kind !== 'FOUND') {
    const { kind, retryAfterSeconds, lacks } = offer
    if (lacks !== undefined) {
      const lack = lackOf(lacks, visit)
      return troublePage(deps, view, lack, { remedy: remedyFor(lack, visit) })
    }
    return troublePage(deps, view, kind === 'DENIED' ? 'LINK_INVALID' : kind, { retryAfterSeconds })
  }
  const situation = situationOf(session, offer.options, wanted.step)
  const step = nextStep(situation)
  const isChoosing = step.kind !== 'DETAILS'
  const choices = isChoosing ? await deps.directory.choices(session, money) : []
  return stepPage(drawing, { step, situation, choices, refusals })
}

const ADDRESS_CODES: ReadonlySet<string> = new Set(['RETURN_URL_NOT_ALLOWED', 'CALLBACK_URL_NOT_ALLOWED'])

/** What the shop fixed and the customer chose, as the decision wants it. */
export function situationOf(
  { order, choice }: Session,
  options: readonly OfferedOption[],
  step: Wanted['step'],
): Situation {
  const { paymentMethodCode: methodCode, paymentOperatorCode: operatorCode } = order ?? {}
  return preselected({
    options,
    fixed: methodCode === undefined ? undefined : { methodCode, operatorCode },
    fixedOperatorCode: operatorCode,
    optionsAvailable: order?.optionsAvailable === true,
    allowCustomerDataChange: order?.allowCustomerDataChange === true,
    supplied: order?.customer ?? {},
    chosen: choice,
    change: step === 'method' ? 'METHOD' : step === 'operator' ? 'OPERATOR' : undefined,
  })
}

interface Stepping {
  readonly step: Step
  readonly situation: Situation
  readonly choices: readonly Choice[]
  readonly refusals: readonly Rejection[]
}

function stepPage(drawing: Drawing, { step, situation, choices, refusals }: Stepping): Page {
  const { deps, view } = drawing
  switch (step.kind) {
    case 'METHOD':
      return chooseMethod(view, { ...step, gone: step.gone, options: situation.options, choices })
    case 'OPERATOR': {
      const known = choices.find((each) => each.paymentMethodCode === step.option.paymentMethodCode)
      return chooseOperator(view, { ...step, known })
    }
    case 'DETAILS':
      return detailsPage(drawing, step, refusals)
    case 'NONE':
      return troublePage(deps, view, 'METHOD_FIXED', {
        reasons: usedUpOf(choices, situation.fixed?.methodCode),
        remedy: 'paymentMethodCode and paymentOperatorCode must be one of the available options.',
      })
  }
}

/** The limit of today, where that is why the shop's method is not to be had. */
function usedUpOf(choices: readonly Choice[], methodCode: string | undefined): readonly Rejection[] {
  return choices
    .filter(({ paymentMethodCode, isUsedUp }) => paymentMethodCode === methodCode && isUsedUp === true)
    .map(({ paymentMethodCode }) => ({ code: LIMIT_REACHED, paymentMethodCode }))
}

const LIMIT_REACHED = 'CHANNEL_LIMIT'

type DetailsStep = Extract<Step, { kind: 'DETAILS' }>

function detailsPage(drawing: Drawing, step: DetailsStep, refusals: readonly Rejection[]): Page {
  const { deps, visit, view } = drawing
  const elsewhere = refusals.filter(({ field }) => !step.asked.some(({ name }) => name === field))
  const faultyLocks = step.locked.filter((name) => isFaulty(lockOf(visit.session, step, name)))
  // The customer cannot mend what the shop has fixed.
  if (faultyLocks.length > 0 || elsewhere.some(({ field }) => field !== undefined))
    return troublePage(deps, view, 'SHOP_DETAILS', {
      reasons: refusals,
      remedy: faultyLocks.length > 0 ? remedyForLocks(faultyLocks, step) : undefined,
    })
  if (elsewhere.length > 0) {
    const paymentMethodCode = step.option.paymentMethodCode
    const reasons = refusals.map((each) =>
      each.code === LIMIT_REACHED ? { ...each, paymentMethodCode } : each,
    )
    return troublePage(deps, view, view.hasChoice ? 'NO_OPTIONS' : 'METHOD_FIXED', { reasons })
  }
  const supplied = step.locked.map((name) => {
    const { format, value } = lockOf(visit.session, step, name)
    return { label: view.texts.say(FORMAT_TABLE[format].label), masked: maskField(format, value) }
  })
  return details(view, { ...step, fields: fieldsOf(visit.session, step, refusals), supplied })
}

const lockOf = ({ order }: Session, { option }: DetailsStep, name: CustomerField) => ({
  format: formatOf(option.paymentMethodCode, order?.money.currencyCode ?? '', name),
  value: order?.customer[name] ?? '',
})

const isFaulty = ({ format, value }: ReturnType<typeof lockOf>): boolean =>
  faultOf(format, value, true) !== undefined

const remedyForLocks = (names: readonly CustomerField[], { option }: DetailsStep): string =>
  `What the address says of ${names.join(', ')} does not fit ${option.paymentMethodCode}. Correct it, or let the customer do so: allowCustomerDataChange=true.`

/** What was typed, or what the shop supplied to begin with; that is judged at once. */
function fieldsOf(session: Session, step: DetailsStep, refusals: readonly Rejection[]): readonly FormField[] {
  const { order, drafts, checked } = session
  const code = step.option.paymentMethodCode
  const supplied = order?.allowCustomerDataChange === true ? order.customer : {}
  const isPrefilled = drafts[code] === undefined && Object.keys(supplied).length > 0
  return formOf({
    methodCode: code,
    currencyCode: order?.money.currencyCode ?? '',
    asked: step.asked,
    values: drafts[code] ?? supplied,
    isJudged: checked === code || isPrefilled,
    refusals,
  })
}

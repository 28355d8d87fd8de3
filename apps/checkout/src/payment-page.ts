import { html } from '@tollgate/runtime/html'
import { type MethodFacts, nameOfCode } from './directory.ts'
import type { Drawing, Wanted } from './drawing.ts'
import { referenceFormat } from './formats/index.ts'
import { faultOf } from './forms.ts'
import type { Payin } from './records.ts'
import type { Screen } from './router.ts'
import { instructions, partial } from './screens/instructions.ts'
import { testPanel } from './screens/panel.ts'
import { methodName, notice } from './screens/parts.ts'
import { progress } from './screens/progress.ts'
import { redirect, returned, unavailable } from './screens/redirect.ts'
import { type Referring, reference, referenceSent } from './screens/reference.ts'
import { cancelled, expired, failed, leave, paid, reversed } from './screens/results.ts'
import type { Page } from './screens/view.ts'
import { moneyAt, type Seen } from './visit.ts'

interface Paid {
  readonly seen: Seen
  readonly payin: Payin
  readonly wanted: Wanted
}

/** There is a payment: what became of it. */
export async function paymentPage(drawing: Drawing, { seen, payin, wanted }: Paid): Promise<Page> {
  const { view, deps } = drawing
  const isOpen = payin.process.status === 'CREATED'
  if (wanted.step === 'leave' && isOpen && !UNDER_WAY.has(seen.screen)) return leave(view, payin)
  const drawn = await drawPayment(drawing, { seen, payin, wanted })
  if (drawing.visit.isReadOnly && isOpen) {
    const ended = notice('warning', html`<p>${view.texts.say('status.linkEnded')}</p>`)
    return { ...drawn, content: html`${ended}${drawn.content}` }
  }
  const hasPanel = isOpen && view.mode === 'PAY' && !deps.isLive && deps.api.canTrigger
  return hasPanel ? { ...drawn, panel: testPanel(view) } : drawn
}

/** Money may have been sent: who leaves then is not told that the payment is not complete. */
const UNDER_WAY: ReadonlySet<Screen> = new Set(['PROGRESS', 'CHECKING', 'PARTIAL', 'REFERENCE_SENT'])

async function drawPayment(drawing: Drawing, { seen, payin, wanted }: Paid): Promise<Page> {
  const parts = {
    payin,
    live: seen.live,
    isChecking: seen.screen === 'CHECKING',
    backAtMs: drawing.visit.session.backAtMs,
    ...(await describePayin(drawing, payin)),
  }
  const page =
    wanted.step === 'reference' && mayRefer(drawing, seen, parts)
      ? reference(drawing.view, referring(drawing, parts, true))
      : (DRAWERS[seen.screen] ?? drawProgress)(drawing, parts)
  return { ...page, method: parts.methodName }
}

function mayRefer({ view }: Drawing, { screen }: Seen, { takesReference }: Parts): boolean {
  const isTaken = takesReference && (screen === 'INSTRUCTIONS' || screen === 'EXPIRED')
  return view.mode === 'PAY' && (isTaken || screen === 'REFERENCE_SENT')
}

type Described = Pick<Parts, 'operatorName' | 'methodName' | 'takesReference'>

/** Names, as far as they are known: of an old payment a token may not permit to ask. */
async function describePayin({ deps, visit, view }: Drawing, payin: Payin): Promise<Described> {
  const { paymentMethodCode: code, paymentOperatorCode: operator } = payin.paymentMethodResponse
  const money = moneyAt(visit, payin)
  const known =
    money === undefined || visit.isReadOnly
      ? undefined
      : await deps.directory.describe(visit.session.token, money, code)
  const method = methodName(view, code, known?.name)
  return {
    operatorName: operator === undefined ? method : nameOfOperator(known, operator),
    methodName: operator === undefined ? method : `${method} – ${nameOfOperator(known, operator)}`,
    takesReference: known !== undefined && known.externalReference !== 'NONE',
  }
}

const nameOfOperator = (known: MethodFacts | undefined, code: string): string =>
  known?.operators.get(code) ?? nameOfCode(code)

interface Parts {
  readonly payin: Payin
  readonly live: string
  /** The bank or wallet, or where there is none, the method. */
  readonly operatorName: string
  readonly methodName: string
  readonly backAtMs: number | undefined
  readonly takesReference: boolean
  readonly isChecking: boolean
}

type Drawer = (drawing: Drawing, parts: Parts) => Page

const drawProgress: Drawer = ({ view }, parts) => progress(view, parts)
const redirectUrlOf = ({ payin }: Parts): string => payin.paymentMethodResponse.redirectUrl ?? ''

const DRAWERS: Readonly<Partial<Record<Screen, Drawer>>> = {
  REDIRECT: ({ view }, parts) => redirect(view, { ...parts, redirectUrl: redirectUrlOf(parts) }),
  UNAVAILABLE: ({ view }, parts) => unavailable(view, { ...parts, redirectUrl: redirectUrlOf(parts) }),
  RETURNED: ({ view }, parts) => returned(view, { ...parts, redirectUrl: redirectUrlOf(parts) }),
  INSTRUCTIONS: ({ view }, parts) => instructions(view, parts),
  REFERENCE: (drawing, parts) => reference(drawing.view, referring(drawing, parts, false)),
  REFERENCE_SENT: ({ view }, parts) => referenceSent(view, parts),
  PARTIAL: ({ view }, parts) => partial(view, parts),
  PAID: ({ view }, parts) => paid(view, parts),
  REVERSED: ({ view }, parts) => reversed(view, parts),
  FAILED: ({ view }, parts) => failed(view, parts),
  CANCELLED: ({ view }, parts) => cancelled(view, parts),
  EXPIRED: ({ view }, parts) => expired(view, parts),
}

function referring({ visit }: Drawing, parts: Parts, isAfterwards: boolean): Referring {
  const { reference: draft, refusals } = visit.session
  const { payin } = parts
  const format = referenceFormat(payin.paymentMethodResponse.paymentMethodCode)
  const isRefused = refusals.some(({ code }) => REFERENCE_CODES.has(code))
  const value = draft ?? payin.externalReference ?? ''
  const fault = draft === undefined ? undefined : faultOf(format, draft, true)
  return {
    ...parts,
    isAfterwards,
    field: { name: 'externalReference', required: true, format, lengthMax: undefined, value, fault },
    refusal: isRefused && fault === undefined ? 'reference.refused' : undefined,
  }
}

const REFERENCE_CODES: ReadonlySet<string> = new Set([
  'INVALID_REF_NUM',
  'ENTITY_EXPIRED',
  'ATTRIBUTE_INVALID',
])

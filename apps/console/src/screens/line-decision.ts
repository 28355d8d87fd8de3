import { Type } from 'typebox'
import { pathOf } from '../operator-api.ts'
import type { Act } from '../visit.ts'

/** A line that was decided, or what waits for a second operator. */
const DecidedSchema = Type.Object({ waiting: Type.Unknown() })

/** Decides about a bank line as the form says: the press names the decision and, where it is a candidate's, its payment. */
export const decideLine: Act['perform'] = async ({ api, name }, form) => {
  const [decision = '', ...pressed] = (form.get('choice') ?? '').split(' ')
  const path = `${pathOf`/operator/statement-lines/${name('lineId')}`}/!decide`
  const body = {
    decision,
    reason: form.get('reason') ?? '',
    ...(PAYING.has(decision) && paymentOf(pressed, form)),
  }
  const { waiting } = await api.post(path, DecidedSchema, { body })
  const confirmationId = confirmationIdOf(waiting)
  if (confirmationId === undefined) return 'decided'
  return { goTo: `${pathOf`/confirmations/${confirmationId}`}?done=waits` }
}

const PAYING: ReadonlySet<string> = new Set(['ACCEPT', 'COVER'])

interface Paying {
  readonly payment?: { readonly kind: string; readonly merchantCode: string; readonly idPayment: string }
  readonly withLineIds?: readonly string[]
}

/** Of a candidate, or what was typed; without either it is the payment that the line names. */
function paymentOf([kind, merchantCode, idPayment]: readonly string[], form: URLSearchParams): Paying {
  const isPressed = kind !== undefined && merchantCode !== undefined && idPayment !== undefined
  return isPressed ? { payment: { kind, merchantCode, idPayment } } : typedPayment(form)
}

function typedPayment(form: URLSearchParams): Paying {
  const typed = (name: string): string => form.get(name)?.trim() ?? ''
  const payment = { kind: typed('kind'), merchantCode: typed('merchantCode'), idPayment: typed('idPayment') }
  const withLineIds = typed('withLineIds')
    .split(/[\s,]+/)
    .filter((each) => each !== '')
  return {
    ...(`${payment.idPayment}${payment.merchantCode}` !== '' && { payment }),
    ...(withLineIds.length > 0 && { withLineIds }),
  }
}

/** A decided line has a list there, what waits is one confirmation. */
function confirmationIdOf(waiting: unknown): string | undefined {
  const id: unknown =
    typeof waiting === 'object' && waiting !== null ? Reflect.get(waiting, 'confirmationId') : undefined
  return typeof id === 'string' ? id : undefined
}

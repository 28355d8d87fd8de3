import { type Html, html } from '@tollgate/runtime/html'
import type { Choice } from '../records.ts'
import type { Option, Wish } from '../scenarios.ts'
import { choice } from './choice.ts'
import { methodIcon } from './icons.ts'
import { form, leaveLink, limitReachedOf, methodName, notice } from './parts.ts'
import { amountText, type Page, type View } from './view.ts'

// The choice of a method.

interface MethodChoice {
  readonly options: readonly Option[]
  /** What the gateway knows beside the options; empty where it does not say. */
  readonly choices: readonly Choice[]
  readonly current: Wish | undefined
  readonly isGone: boolean
  /** The method that was chosen or suggested and is gone. */
  readonly gone: string | undefined
}

export function chooseMethod(view: View, asked: MethodChoice): Page {
  const { say } = view.texts
  const items = [...openMethods(view, asked), ...closedMethods(view, asked)]
  const content = html`${asked.isGone && notice('warning', html`<p>${whyGone(view, asked)}</p>`)}
${form(view, 'choose', html`<ul class="choices" role="list">${items}</ul>`)}
${leaveLink(view, false)}`
  return { heading: say('choose.title'), tab: say('title.pay', { amount: amountText(view) }), content }
}

/** What was chosen before may have met its limit meanwhile; else it is the amount. */
function whyGone(view: View, { gone, choices }: MethodChoice): string {
  const known = choices.find(({ paymentMethodCode, isUsedUp }) => paymentMethodCode === gone && isUsedUp)
  if (known === undefined) return view.texts.say('choose.suggestedUnavailable')
  return limitReachedOf(view, known.paymentMethodCode, known.name)
}

function openMethods(view: View, { options, choices, current }: MethodChoice): readonly Html[] {
  return options.map(({ paymentMethodCode: code, name, flow }) => {
    const known = choices.find((each) => each.paymentMethodCode === code)
    const knownFlow = FLOWS.find((each) => each === flow)
    return choice({
      name: 'methodCode',
      value: code,
      shown: methodName(view, code, name),
      logo: methodIcon(code, flow),
      note: knownFlow && view.texts.say(`flow.${knownFlow}`),
      speed: speedOf(view, known),
      isCurrent: current?.methodCode === code,
    })
  })
}

/** What would be there at another time: a customer who looks for it need not wonder. */
function closedMethods(view: View, { options, choices }: MethodChoice): readonly Html[] {
  return choices
    .filter(({ paymentMethodCode: code, availability, isUsedUp }) => {
      const isAway = availability === 'CLOSED' || isUsedUp === true
      return isAway && options.every((option) => option.paymentMethodCode !== code)
    })
    .map(({ paymentMethodCode: code, name, flow, isUsedUp }) =>
      choice({
        name: 'methodCode',
        value: code,
        shown: methodName(view, code, name),
        logo: methodIcon(code, flow),
        note: view.texts.say(isUsedUp === true ? 'choose.limitReached' : 'choose.closed'),
        isClosed: true,
      }),
    )
}

const FLOWS = ['REDIRECT', 'INSTRUCTIONS', 'QR', 'REFERENCE'] as const
const SPEEDS = ['INSTANT', 'MINUTES', 'HOURS', 'DAYS'] as const

function speedOf({ texts: { say } }: View, known: Choice | undefined): Html | undefined {
  const speed = SPEEDS.find((each) => each === known?.speed)
  if (speed === undefined) return undefined
  return html`<span class="choice__speed${speed === 'INSTANT' && ' choice__speed--now'}">${say(`speed.${speed}`)}</span>`
}

import { type Html, html } from '@tollgate/runtime/html'
import { formatBound } from '../messages/index.ts'
import type { Choice } from '../records.ts'
import type { Option, Wish } from '../scenarios.ts'
import { choice, FIRST_CHOICE, missingChoice } from './choice.ts'
import { methodIcon } from './icons.ts'
import { form, leaveLink, limitReachedOf, methodName, notice, submit } from './parts.ts'
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
  /** The form was sent without a choice. */
  readonly isMissing: boolean
}

export function chooseMethod(view: View, asked: MethodChoice): Page {
  const { say } = view.texts
  const { isGone, isMissing } = asked
  const title = say('choose.title', { amount: amountText(view) })
  const items = [...openMethods(view, asked), ...closedMethods(view, asked)]
  const content = html`${isMissing && missingChoice(view, say('choose.missing'))}
${isGone && notice('warning', html`<p>${whyGone(view, asked)}</p>`)}
${form(view, 'choose', html`<fieldset><legend class="visually-hidden">${title}</legend><ul class="choices">${items}</ul></fieldset>${submit(say('common.continue'))}`)}
${leaveLink(view, false)}`
  return {
    heading: title,
    tab: say('title.pay', { amount: amountText(view) }),
    content,
    step: 'choose',
    isFaulty: isMissing,
  }
}

/** What was chosen before may have met its limit meanwhile; else it is the amount. */
function whyGone(view: View, { gone, choices }: MethodChoice): string {
  const known = choices.find(({ paymentMethodCode, isUsedUp }) => paymentMethodCode === gone && isUsedUp)
  if (known === undefined) return view.texts.say('choose.suggestedUnavailable')
  return limitReachedOf(view, known.paymentMethodCode, known.name)
}

function openMethods(view: View, { options, choices, current }: MethodChoice): readonly Html[] {
  return options.map((option, index) => {
    const { paymentMethodCode: code, name, flow } = option
    const known = choices.find((each) => each.paymentMethodCode === code)
    return choice({
      name: 'methodCode',
      value: code,
      shown: methodName(view, code, name),
      logo: methodIcon(code, flow),
      note: noteOf(view, option, known),
      isChecked: current?.methodCode === code,
      id: index === 0 ? FIRST_CHOICE : undefined,
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

/** How it is paid; then how soon it usually is, and between which amounts. */
function noteOf(view: View, { flow, limits = [] }: Option, known: Choice | undefined): Html | undefined {
  const { say } = view.texts
  const knownFlow = FLOWS.find((each) => each === flow)
  const speed = SPEEDS.find((each) => each === known?.speed)
  const [limit] = limits
  const facts = [
    speed && say(`speed.${speed}`),
    limit && say('choose.limits', limitText(view, limit)),
  ].filter((each) => each !== undefined)
  const lines = [knownFlow && say(`flow.${knownFlow}`), facts.join(' · ')].filter((line) => line)
  if (lines.length === 0) return undefined
  return html`${lines.map((line, index) => html`${index > 0 && html`<br>`}${line}`)}`
}

const limitText = ({ texts }: View, { minAmount, maxAmount, currencyCode }: Limit) => ({
  min: formatBound(texts.language, { amount: minAmount, currencyCode }),
  max: formatBound(texts.language, { amount: maxAmount, currencyCode }),
})
type Limit = NonNullable<Option['limits']>[number]

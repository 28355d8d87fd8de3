import type { PasskeyCreationSchema, PasskeyRequestSchema, Read } from '@tollgate/contract'
import { attributes, type Html, html } from '@tollgate/runtime/html'
import { icon } from './icons.ts'

// A form that waits for a passkey: the script asks the device, puts the answer into it and sends it.

type Request = Read<typeof PasskeyRequestSchema>
type Creation = Read<typeof PasskeyCreationSchema>

interface Ceremony {
  /** What is asked of the device, as the operator API has begun it. */
  readonly begun: Request | Creation
  readonly action: string
  /** Hidden fields that go along. */
  readonly fields: Html
  /** Of the button that asks the device. */
  readonly words: string
  /** Asks at once; otherwise by the button alone. */
  readonly isAtOnce: boolean
  /** Beside the button. */
  readonly more?: Html
  /** What to do without a script. */
  readonly without: Html | string
}

export function ceremony({ begun, action, fields, words, isAtOnce, more, without }: Ceremony): Html {
  const kind = 'user' in begun.options ? 'create' : 'get'
  const data = {
    'data-passkey': kind,
    'data-options': JSON.stringify(begun.options),
    'data-now': isAtOnce,
  }
  return html`<form class="touch" method="post" action="${action}"${attributes(data)}>${fields}<input type="hidden" name="${CHALLENGE}" value="${begun.challengeId}"><input type="hidden" name="${CREDENTIAL}" data-answer><p class="wrong" role="alert" data-problem hidden></p><p class="acts section-s"><button class="btn btn-main btn-big" type="button" data-touch hidden autofocus>${icon('key')}${words}</button>${more}</p></form>
<p class="note note-warn section-s" data-without>${icon('alert')}<span>${without}</span></p>`
}

const CHALLENGE = 'passkey.challenge'
const CREDENTIAL = 'passkey.credential'

/** What a ceremony sent; undefined where a form is none. The operator API judges what the device says. */
export function answerOf(
  form: URLSearchParams,
): { readonly challengeId: string; readonly credential: unknown } | undefined {
  const [challengeId, text] = [form.get(CHALLENGE), form.get(CREDENTIAL)]
  if (challengeId === null || text === null) return undefined
  return { challengeId, credential: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch {
    return null
  }
}

/** Of a form, what the screen itself has in it. */
export const withoutAnswer = (form: URLSearchParams): URLSearchParams =>
  new URLSearchParams([...form].filter(([name]) => !name.startsWith('passkey.')))

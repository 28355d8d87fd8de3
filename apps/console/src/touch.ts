import { PasskeyRequestSchema, StepUpSchema } from '@tollgate/contract'
import { type Html, html } from '@tollgate/runtime/html'
import { answerOf, ceremony, withoutAnswer } from './ceremony.ts'
import { wordsOf } from './format.ts'
import type { Page } from './frame.ts'
import { icon } from './icons.ts'
import { ApiRefusal, type OperatorApi, type Touch, type Touchable } from './operator-api.ts'
import { note, pairs } from './parts.ts'
import { touchWords } from './touch-words.ts'

// A fresh touch of a passkey, for acts of every screen. The operator API says that a request needs one; the form is then shown once
// more, waits for the touch, and is sent again with it. An act does all that it changes in one request: it is begun anew.

const REQUEST = 'passkey.request'
const BACK = 'passkey.back'

/** A form with what a touch added to it. */
interface Sent {
  /** What the screen's own form had. */
  readonly typed: URLSearchParams
  readonly answer: ReturnType<typeof answerOf>
  /** What the touch was asked for. */
  readonly request: Touchable | undefined
  /** Instead of touching. */
  readonly isBack: boolean
}

export function sentBy(form: URLSearchParams): Sent {
  const [method = '', path] = (form.get(REQUEST) ?? '').split(' ', 2)
  // A form that waited for a passkey of its own, such as one that registers it, keeps its answer.
  if (path === undefined) return { typed: form, answer: undefined, request: undefined, isBack: false }
  return {
    typed: withoutAnswer(form),
    answer: answerOf(form),
    request: { method, path },
    isBack: form.has(BACK),
  }
}

/** The touch that came with a form, or why it cannot be taken. Without one, nothing. */
export async function takeTouch(
  api: OperatorApi,
  { answer, request }: Sent,
): Promise<{ readonly touch?: Touch; readonly problem?: string }> {
  if (answer === undefined || request === undefined) return {}
  try {
    const { secret } = await api.post('/operator/step-ups/!finish', StepUpSchema, { body: answer })
    return { touch: { ...request, secret } }
  } catch (error) {
    // Late, used, or of another passkey: the act says what it needs, and is asked for again.
    if (!(error instanceof ApiRefusal) || ![400, 409].includes(error.status)) throw error
    return { problem: error.message }
  }
}

/** Of what was typed, what is shown beside the request: the rest of a form are marks that say nothing to people. */
const SHOWN: ReadonlySet<string> = new Set([
  'reason',
  'note',
  'outcome',
  'roles',
  'days',
  'name',
  'fingerprint',
])

interface Wanted {
  readonly api: OperatorApi
  readonly formToken: Html
  readonly request: Touchable
  readonly typed: URLSearchParams
  /** Where the form was sent. */
  readonly action: string
  readonly problem?: string | undefined
}

/** Says what will be done, by the request that the touch is bound to, and waits for it. */
export async function touchPage({ api, formToken, request, typed, action, problem }: Wanted): Promise<Page> {
  const begun = await api.post('/operator/step-ups/!begin', PasskeyRequestSchema, { body: request })
  const words = touchWords(request)
  const fields = [...typed].filter(([name]) => name !== 'formToken')
  const shown = fields.filter(([name, value]) => SHOWN.has(name) && value !== '')
  const hidden = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)
  const form = ceremony({
    begun,
    action,
    isAtOnce: problem === undefined,
    fields: html`${formToken}${hidden}<input type="hidden" name="${REQUEST}" value="${request.method} ${request.path}">`,
    words: 'Touch your passkey',
    more: html`<button class="btn btn-big" name="${BACK}" value="yes">${icon('left')}Back</button>`,
    without: 'A passkey needs JavaScript. Nothing was done.',
  })
  return {
    title: 'Touch your passkey',
    content: html`<div class="touch-box"><h1>Touch your passkey to ${words}</h1>
${problem !== undefined && note('bad', html`<b>Not done.</b> ${problem} Touch it again.`)}
<p class="quiet">The touch is for this one request.</p>
${shown.length > 0 && shownFields(shown)}
${form}</div>`,
  }
}

const shownFields = (shown: readonly (readonly [string, string])[]): Html =>
  html`<div class="section-s">${pairs(shown.map(([name, value]) => [wordsOf(name), value]))}</div>`

/** Somebody went back instead: their screen says so, with what they typed. */
export const notTouched = (): ApiRefusal =>
  new ApiRefusal(403, { code: 'STEP_UP_REQUIRED', message: 'You did not touch your passkey.' })

/** A touch was taken, but not for what the act asks. */
export const OTHER_TOUCH = 'That touch was for something else, was used before or came too late.'

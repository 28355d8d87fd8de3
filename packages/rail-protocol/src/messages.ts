import { Compile, type Validator } from 'typebox/schema'
import {
  type HandOverRequest,
  HandOverRequestSchema,
  type Notification,
  NotificationSchema,
  type PayeeAnswer,
  PayeeAnswerSchema,
  type PayeeQuestion,
  PayeeQuestionSchema,
  type PaymentState,
  PaymentStateSchema,
  PROTOCOL_BODY_BYTES_MAX,
  type ProtocolError,
  ProtocolErrorSchema,
} from './schemas.ts'

/** A message that was read, or why it could not be. */
export type Reading<Message> =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly why: string }

const handOver = Compile(HandOverRequestSchema)
const state = Compile(PaymentStateSchema)
const notification = Compile(NotificationSchema)
const problem = Compile(ProtocolErrorSchema)
const payeeQuestion = Compile(PayeeQuestionSchema)
const payeeAnswer = Compile(PayeeAnswerSchema)

/** Reads the body of `PUT /payments/{reference}`. Members that the protocol does not know are left alone. */
export function readHandOver(body: Uint8Array): Reading<HandOverRequest> {
  return read(body, (value) => (handOver.Check(value) ? value : whyNot(handOver, value)))
}

/** Reads an answer that tells a payment's state. */
export function readState(body: Uint8Array): Reading<PaymentState> {
  return read(body, (value) => (state.Check(value) ? value : whyNot(state, value)))
}

/** Reads the body of `POST /rails/{railCode}/notifications`. */
export function readNotice(body: Uint8Array): Reading<Notification> {
  return read(body, (value) => (notification.Check(value) ? value : whyNot(notification, value)))
}

/** Reads an answer that refuses. */
export function readProblem(body: Uint8Array): Reading<ProtocolError> {
  return read(body, (value) => (problem.Check(value) ? value : whyNot(problem, value)))
}

/** Reads the body of `POST /payee-checks`. */
export function readPayeeQuestion(body: Uint8Array): Reading<PayeeQuestion> {
  return read(body, (value) => (payeeQuestion.Check(value) ? value : whyNot(payeeQuestion, value)))
}

/** Reads what an adapter says of a payee. */
export function readPayeeAnswer(body: Uint8Array): Reading<PayeeAnswer> {
  return read(body, (value) => (payeeAnswer.Check(value) ? value : whyNot(payeeAnswer, value)))
}

const decoder = new TextDecoder('utf-8', { fatal: true })

function read<Message extends object>(
  body: Uint8Array,
  check: (value: unknown) => Message | string,
): Reading<Message> {
  if (body.length > PROTOCOL_BODY_BYTES_MAX) return { ok: false, why: 'the body is too long' }
  let value: unknown
  try {
    value = JSON.parse(decoder.decode(body))
  } catch {
    return { ok: false, why: 'the body is not JSON in UTF-8' }
  }
  const checked = check(value)
  return typeof checked === 'string' ? { ok: false, why: checked } : { ok: true, message: checked }
}

/** Names the first member that is wrong, never its value: it may be somebody's name. */
function whyNot(validator: Pick<Validator, 'Errors'>, value: unknown): string {
  const [, [first]] = validator.Errors(value)
  if (first === undefined) return 'the body is not valid'
  const path = first.instancePath.split('/').filter(Boolean).join('.')
  return `${path === '' ? 'the body' : path} ${first.message}`
}

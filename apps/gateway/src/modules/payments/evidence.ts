import type { PaymentKind, PaymentStatus } from '@tollgate/contract/words'

/** Who or what proves that a payment is to change its status. */
const EVIDENCE_CLASSES = [
  /** An authenticated answer or notification of the institution. */
  'RAIL',
  /** A bank's document that came over a configured, authenticated channel. */
  'BANK_CHANNEL',
  /** A bank's document that a person handed in. */
  'BANK_UPLOAD',
  /** A reference that the customer typed. It may lead people to a payment; it proves nothing. */
  'CUSTOMER_CLAIM',
  /** Operators, by name. */
  'PEOPLE',
  /** The database's clock. */
  'CLOCK',
  /** The merchant itself, by its token: it calls off a payin that nothing was paid for. */
  'MERCHANT',
  /** The simulated institution, told what to say by a developer. For payments of the sandbox only. */
  'SANDBOX',
] as const
export type EvidenceClass = (typeof EVIDENCE_CLASSES)[number]

/** The evidence of a proposal, with the codes of the operators whose word it rests on. */
export type Evidence =
  | { readonly class: 'RAIL' | 'CUSTOMER_CLAIM' | 'CLOCK' | 'MERCHANT' | 'SANDBOX' }
  | { readonly class: 'PEOPLE'; readonly operators: readonly string[] }
  | DocumentEvidence

/**
 * A bank's document. The operators are those who handed it in, or who decided which payment its line is for.
 * `needsSecond`: the policy for its money wants two different operators.
 */
export interface DocumentEvidence {
  readonly class: 'BANK_CHANNEL' | 'BANK_UPLOAD'
  readonly operators: readonly string[]
  readonly needsSecond: boolean
}

/** What an actor that is an operator begins with, before the code. */
export const OPERATOR_ACTOR_PREFIX = 'operator:'

/**
 * The evidence that a bank's document is, by who brought it: an operator, or the gateway itself from a configured channel.
 * `agreed` are operators whose word it rests on as well: who confirmed it, or who decided about its line.
 */
export function documentEvidence(
  broughtBy: string,
  agreed: readonly string[],
  needsSecond = false,
): DocumentEvidence {
  const uploader = broughtBy.startsWith(OPERATOR_ACTOR_PREFIX)
    ? broughtBy.slice(OPERATOR_ACTOR_PREFIX.length)
    : undefined
  return uploader === undefined
    ? { class: 'BANK_CHANNEL', operators: agreed, needsSecond }
    : { class: 'BANK_UPLOAD', operators: [uploader, ...agreed], needsSecond }
}

/** What moves or frees money takes two different people. */
const TWO = 2

/** Which classes suffice for a change, and how many different operators each needs. What is not here never suffices. */
type SufficientEvidence = Readonly<Partial<Record<EvidenceClass, number>>>

const BY_DOCUMENT: SufficientEvidence = { RAIL: 0, BANK_CHANNEL: 0, BANK_UPLOAD: 1, PEOPLE: TWO, SANDBOX: 0 }
/** Our books said that it had ended: whatever the document, two people say that it moved all the same. */
const BY_TWO_PEOPLE: SufficientEvidence = { BANK_CHANNEL: TWO, BANK_UPLOAD: TWO, PEOPLE: TWO }

/**
 * The one table of what suffices, by the status before and after. A payin may be paid late by itself; everything else that
 * had ended without money and turns out paid takes two people.
 */
function sufficientEvidence(kind: PaymentKind, from: PaymentStatus, to: PaymentStatus): SufficientEvidence {
  if (to === 'SUCCESS') {
    const isOpen = from === 'CREATED' || (from === 'EXPIRED' && kind === 'PAYIN')
    return isOpen ? BY_DOCUMENT : BY_TWO_PEOPLE
  }
  if (to === 'EXPIRED') return { CLOCK: 0, SANDBOX: 0 }
  // Before it was handed over nothing has left: one operator may call it off. See `decide`.
  if (to === 'CANCELLED') return { ...BY_DOCUMENT, PEOPLE: 1, ...(kind === 'PAYIN' && { MERCHANT: 0 }) }
  return to === 'FAILED' || to === 'REVERSED' ? BY_DOCUMENT : {}
}

/** The different operators of the evidence. */
export function operatorsOf(evidence: Evidence): readonly string[] {
  return 'operators' in evidence ? [...new Set(evidence.operators)] : []
}

/** What of a payment evidence is judged against. */
interface Proved {
  readonly kind: PaymentKind
  readonly status: PaymentStatus
  readonly isTest: boolean
}

/** How many different operators the change needs with this evidence; undefined when its class never suffices. */
export function operatorsNeeded(
  { kind, status }: Pick<Proved, 'kind' | 'status'>,
  to: PaymentStatus,
  evidence: Evidence,
): number | undefined {
  const needed = sufficientEvidence(kind, status, to)[evidence.class]
  if (needed === undefined) return undefined
  return 'needsSecond' in evidence && evidence.needsSecond ? Math.max(needed, TWO) : needed
}

/** Why the evidence does not suffice for the change; undefined when it does. */
export function evidenceMissing(payment: Proved, to: PaymentStatus, evidence: Evidence): string | undefined {
  const needed = operatorsNeeded(payment, to, evidence)
  if (needed === undefined) return `${NAMES[evidence.class]} is not enough to make it ${to}`
  if (evidence.class === 'SANDBOX' && !payment.isTest)
    return 'only a payment of the sandbox takes a simulated outcome'
  const given = operatorsOf(evidence).length
  return given < needed ? tooFew(given, needed) : undefined
}

function tooFew(given: number, needed: number): string {
  const people = needed === 1 ? 'an operator' : `${needed} different operators`
  return `it takes ${people}, and ${given === 0 ? 'none' : `only ${given}`} agreed`
}

const NAMES: Readonly<Record<EvidenceClass, string>> = {
  RAIL: 'the word of the institution',
  BANK_CHANNEL: "a bank's document",
  BANK_UPLOAD: 'a file that was handed in',
  CUSTOMER_CLAIM: 'a reference that the customer typed',
  PEOPLE: "an operator's word",
  CLOCK: 'the end of a time',
  MERCHANT: "the merchant's word",
  SANDBOX: 'a simulated outcome',
}

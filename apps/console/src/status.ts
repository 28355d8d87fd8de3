import type { Html } from '@tollgate/runtime/html'
import { wordsOf } from './format.ts'
import type { IconName } from './icons.ts'
import { chip, type Tone } from './parts.ts'

// What statuses and phases are called, and how they look. Shape and word carry it, colour repeats it.

type Look = readonly [tone: Tone, icon: IconName, words: string]

/** Phases that say more than their status. */
const PHASES: Readonly<Record<string, Look>> = {
  AWAITING_CUSTOMER: ['info', 'clock', 'Waiting'],
  SUBMITTED: ['info', 'resend', 'In progress'],
  DETECTED: ['info', 'resend', 'In progress'],
  REFERENCE_SUBMITTED: ['info', 'resend', 'In progress'],
  AWAITING_APPROVAL: ['warn', 'user', 'Needs approval'],
  ON_HOLD: ['warn', 'pause', 'On hold'],
  IN_REVIEW: ['warn', 'eye', 'In review'],
  UNKNOWN: ['warn', 'help', 'Unknown'],
  CONFIRMED_LATE: ['good', 'check', 'Paid late'],
}

const STATUSES: Readonly<Record<string, Look>> = {
  CREATED: ['info', 'clock', 'Waiting'],
  SUCCESS: ['good', 'check', 'Succeeded'],
  FAILED: ['bad', 'x', 'Failed'],
  EXPIRED: ['mute', 'clock', 'Expired'],
  CANCELLED: ['mute', 'minus', 'Cancelled'],
  REVERSED: ['back', 'undo', 'Reversed'],
}

/** Phases that also say more about a payment that has ended. The others are only the last one it was in. */
const PHASES_AT_END: ReadonlySet<string> = new Set(['IN_REVIEW', 'CONFIRMED_LATE'])

export function statusLook(status: string, processorStatus: string): Look {
  const isPhaseSaid = status === 'CREATED' || PHASES_AT_END.has(processorStatus)
  const phase = isPhaseSaid ? PHASES[processorStatus] : undefined
  return phase ?? STATUSES[status] ?? ['mute', 'help', wordsOf(status)]
}

/** Every look that a status may have, once. */
export const STATUS_LOOKS: readonly (readonly [Tone, IconName])[] = [
  ...new Map(
    [...Object.values(PHASES), ...Object.values(STATUSES)].map(([tone, name]) => [
      `${tone} ${name}`,
      [tone, name] as const,
    ]),
  ).values(),
]

export const statusChip = (status: string, processorStatus = ''): Html =>
  chip(...statusLook(status, processorStatus))

export const statusWords = (status: string): string => STATUSES[status]?.[2] ?? wordsOf(status)

const KIND_WORDS: Readonly<Record<string, string>> = {
  PAYIN: 'Payin',
  PAYOUT: 'Payout',
  TOPUP: 'Top-up',
  SETTLEMENT: 'Settlement',
}

export const kindWords = (kind: string): string => KIND_WORDS[kind] ?? wordsOf(kind)

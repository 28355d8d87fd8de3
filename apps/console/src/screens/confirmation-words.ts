import { type Html, html } from '@tollgate/runtime/html'
import { ageText, wordsOf } from '../format.ts'
import type { IconName } from '../icons.ts'
import { chip, type Tone } from '../parts.ts'

// What confirmations, their kinds and states are called.

const KINDS: Readonly<Record<string, string>> = {
  STATEMENT_FILE: 'Statement',
  PAYOUT_REPORT: 'Status report',
  LINE_DECISION: 'Decision about a bank line',
}

export const kindOf = (kind: string): string => KINDS[kind] ?? wordsOf(kind)

type Look = readonly [tone: Tone, icon: IconName, words: string]

const STATES: Readonly<Record<string, Look>> = {
  WAITING: ['warn', 'user', 'Waits'],
  ALONE: ['mute', 'check', 'Done alone'],
  CONFIRMED: ['good', 'check', 'Confirmed'],
  REFUSED: ['bad', 'x', 'Refused'],
  WITHDRAWN: ['mute', 'minus', 'Withdrawn'],
  EXPIRED: ['mute', 'clock', 'Expired'],
  FAILED: ['bad', 'alert', 'Could not be carried out'],
}

export const confirmationStateChip = (state: string): Html =>
  chip(...(STATES[state] ?? (['mute', 'help', wordsOf(state)] as const)))

/** How long something still waits: "2 h 20 min". */
export const untilText = (iso: string, nowMs: number): string =>
  ageText(new Date(nowMs).toISOString(), Date.parse(iso))

export const digestHtml = (digest: string): Html =>
  html`<span class="code digest">${(digest.match(/.{1,8}/g) ?? []).join(' ')}</span>`

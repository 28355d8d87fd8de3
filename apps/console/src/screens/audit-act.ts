import type { AuditActSchema, Read } from '@tollgate/contract'
import { type Html, type HtmlValue, html } from '@tollgate/runtime/html'
import { wordsOf } from '../format.ts'
import { initials } from '../frame.ts'
import { icon } from '../icons.ts'
import { chip } from '../parts.ts'

// How one act of the audit log is said: by whom, about what, what it changed.

export type AuditAct = Read<typeof AuditActSchema>
type Change = AuditAct['changes'][number]

const FACES = ['', ' face-2', ' face-3']

/** The same person has the same colour on every page. */
const faceOf = (code: string): string =>
  FACES[Array.from(code).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % FACES.length] ?? ''

const PROGRAMS: Readonly<Record<string, string>> = {
  'tollgate command': 'Command line',
  'tollgate worker': 'Worker',
  'tollgate api': 'Gateway',
  'tollgate start': 'Start',
  'tollgate prepare': 'Start',
  'tollgate keys': 'Master key',
  'tollgate migrate': 'Migration',
}

/** An operator, or the program that did it without one. */
export function whoName({ operatorCode, operatorName, program, kind }: AuditAct): string {
  if (operatorCode !== undefined) return operatorName ?? operatorCode
  if (kind === 'BEGAN') return 'Migration'
  return program === undefined || program === '' ? 'Unknown program' : (PROGRAMS[program] ?? program)
}

export function whoHtml(act: AuditAct): Html {
  const { operatorCode } = act
  const name = whoName(act)
  const face =
    operatorCode === undefined
      ? html`<span class="face face-s face-sys" aria-hidden="true">${icon('pulse')}</span>`
      : html`<span class="face face-s${faceOf(operatorCode)}" aria-hidden="true">${initials(name)}</span>`
  return html`<span class="with">${face}${name}</span>`
}

const MEANS: Readonly<Record<string, string>> = {
  KEY: 'Key',
  SESSION: 'Session of a key',
  PASSKEY: 'Passkey',
  OIDC: 'Company account',
  INVITATION: 'Invitation',
}

/** By what it was asked: "Passkey ses_4Q7X". */
export const meansText = ({ means, meansId }: AuditAct): string | undefined =>
  means === undefined ? undefined : `${MEANS[means] ?? means} ${meansId ?? ''}`.trim()

/** What the act is about: "DEMO, OUT-1". */
export const aboutText = ({ merchantCode, subject }: AuditAct): string =>
  [merchantCode, subject].filter((each) => each !== undefined).join(', ')

/** Nothing for what went well: that is the rule. */
export function outcomeChip({ outcome, status }: AuditAct): Html | undefined {
  if (outcome === 'DONE') return undefined
  return outcome === 'FAILED'
    ? chip('bad', 'x', `Refused, ${status ?? ''}`)
    : chip('warn', 'help', 'No answer recorded')
}

/** What a row of a table is called; others go by the name of the table. */
const SECTIONS: Readonly<Record<string, string>> = {
  operators: 'operator',
  operator_keys: 'key of',
  operator_passkeys: 'passkey of',
  operator_identities: 'linked account of',
  operator_invitations: 'invitation of',
  operator_sessions: 'session of',
  root_key: 'sealing of the root key',
  token_signing_keys: 'token signing key',
  merchants: 'merchant',
  merchant_keys: 'merchant key',
  merchant_secrets: 'merchant secret',
  merchant_logos: 'logo',
  merchant_methods: 'method',
  merchant_limits: 'limits of',
  merchant_fees: 'fee of',
  fees: 'fee of',
  payout_rules: 'approval rule',
  revoked_tokens: 'revocation',
  blocked_beneficiaries: 'blocked account',
  settlement_cycles: 'settlement cycle',
  settlement_accounts: 'payout account',
  currencies: 'currency',
  segments: 'segment',
  payment_methods: 'method',
  payment_operators: 'payment operator',
  bank_accounts: 'bank account',
  payment_method_operators: 'operator of method',
  payment_method_limits: 'limits of method',
  payment_method_fields: 'field of method',
  payment_method_excluded_segments: 'excluded segment of',
  rate_lists: 'rate list',
  rate_sheets: 'rate sheet',
  restore_gaps: 'restore gap',
  confirmation_policies: 'policy of confirmations',
  institution_health: 'state of',
}

/** A list of texts as people write it; anything else as it is. */
function shownValue(text: string): string {
  if (!/^\[.*\]$/s.test(text)) return text
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.map(String).join(', ') || 'none' : text
  } catch {
    return text
  }
}

const VERBS: Readonly<Record<string, string>> = {
  ADDED: 'Added',
  CHANGED: 'Changed',
  REMOVED: 'Removed',
}

export const changeTitle = ({ verb, section, item }: Change): string =>
  `${VERBS[verb] ?? verb} ${SECTIONS[section] ?? wordsOf(section).toLowerCase()}${item === undefined ? '' : ` ${item}`}`

const FIELDS_SHOWN = 2
const VALUE_SHOWN = 40

const cut = (text: string): string => (text.length > VALUE_SHOWN ? `${text.slice(0, VALUE_SHOWN)}…` : text)

/** Both ends of a value; what is not there has no end. */
export const endsHtml = (
  before: string | undefined,
  after: string | undefined,
  shown: (text: string) => string = (text) => text,
): HtmlValue => [
  before !== undefined && html`<del>${shown(shownValue(before))}</del> `,
  after !== undefined && html`<ins>${shown(shownValue(after))}</ins>`,
]

/** The first change in a cell of a list; the act has the others. */
export function changeCell({ changes, changeCount }: AuditAct): HtmlValue {
  const first = changes[0]
  if (first === undefined) return undefined
  const fields = first.verb === 'CHANGED' ? first.fields.slice(0, FIELDS_SHOWN) : []
  const ends = fields.map(
    ({ name, before, after }) => html`<div>${wordsOf(name)} ${endsHtml(before, after, cut)}</div>`,
  )
  const left = changeCount - 1
  return html`${ends.length === 0 ? changeTitle(first) : ends}${left > 0 && html`<span class="sub">and ${left} more</span>`}`
}

/** `9f3a…c21e`. */
export const hashText = (hash: string): string => `${hash.slice(0, 4)}…${hash.slice(-4)}`

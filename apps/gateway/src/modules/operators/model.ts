import {
  type MemberRole,
  OPERATOR_PERMISSIONS,
  OPERATOR_ROLES,
  type OperatorPermission,
  type OperatorRole,
} from '@tollgate/contract/words'
import type { Means } from '../../platform/acting.ts'

/** What a route or a command asks for. */
export type Permission = OperatorPermission

/** Whom somebody belongs to who is not of the house. */
export interface Membership {
  readonly merchantCode: string
  readonly role: MemberRole
}

/**
 * A person who looks after the gateway, or after one merchant. `operatorId` is ours; `code` is the name that stays in every
 * record.
 */
export interface Operator {
  readonly operatorId: string
  readonly code: string
  readonly name: string
  /** Empty for a merchant's person. */
  readonly roles: readonly OperatorRole[]
  /** Set for a merchant's person. */
  readonly member?: Membership
  /** Set when the key waits for another ADMIN and so carries less than the operator's roles. */
  readonly isKeyHalf?: true
  /** The key by which the operator asks; undefined for a session or an invitation. */
  readonly keyId?: string
  /** The session by which the operator asks; undefined for a key. */
  readonly session?: SessionProof
  /** The invitation by which the operator asks, which registers a passkey and opens nothing else. */
  readonly invitation?: { readonly invitationId: string }
}

/** How a session was made. */
export interface SessionProof {
  readonly sessionId: string
  readonly method: 'KEY' | 'PASSKEY' | 'OIDC'
  readonly keyId: string | undefined
  readonly passkeyId: string | undefined
  /** The linked account of the provider of identities. */
  readonly identityId: string | undefined
}

/** A passkey, as people see it. */
export interface OperatorPasskey {
  readonly passkeyId: string
  readonly name: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | undefined
  /** True where the device's maker keeps a copy, so that it outlives the device. */
  readonly isBackedUp: boolean
  readonly invitedBy: string | undefined
  readonly confirmedBy: string | undefined
  /** True while it carries less than the operator's roles. */
  readonly isHalf: boolean
}

/** An account of the provider of identities that is linked to an operator. */
export interface OperatorIdentity {
  readonly identityId: string
  readonly issuer: string
  readonly subject: string
  readonly createdAt: Date
  readonly lastUsedAt: Date | undefined
  readonly invitedBy: string | undefined
  readonly confirmedBy: string | undefined
  /** True while it carries less than the operator's roles. */
  readonly isHalf: boolean
}

/** A session without its secret: of that there is only a hash. */
export interface OperatorSession extends SessionProof {
  readonly createdAt: Date
  /** Up to a minute before the last use. */
  readonly lastUsedAt: Date
  /** When it ends unless it is used again. */
  readonly idleUntil: Date
  readonly expireAt: Date
}

/** A merchant's person as administrators see them. */
export interface ListedMember {
  readonly account: OperatorAccount
  readonly passkeys: number
  /** Those that another ADMIN of the house has to confirm. */
  readonly halfPasskeys: readonly string[]
  /** While an invitation is open. */
  readonly invitedUntil: Date | undefined
}

/** How long sessions live. */
export interface SessionLimits {
  readonly idleMinutes: number
  readonly hours: number
}

/** An operator with what only other operators see. */
export interface OperatorAccount extends Operator {
  readonly status: 'ACTIVE' | 'DISABLED'
  readonly createdAt: Date
}

/** A key without the key: of that there is only a hash. */
export interface OperatorKey {
  readonly keyId: string
  readonly createdAt: Date
  readonly expiresAt: Date | undefined
  /** The ADMIN who made it; undefined for one of the command line. */
  readonly madeBy: string | undefined
  /** The ADMIN who added the second half. */
  readonly secondedBy: string | undefined
}

export const OPERATOR_CODE_PATTERN = /^[a-z0-9._-]{2,64}$/
/** No house operator's code has it. */
const MEMBER_SIGN = '@'
/** The code of a merchant's person: no merchant can take a name of the house, or of another merchant. */
export const memberCodeOf = (person: string, merchantCode: string): string =>
  `${person}${MEMBER_SIGN}${merchantCode}`
/** The merchant in the code of a merchant's person; undefined for an operator of the house. */
export const merchantInCode = (code: string): string | undefined => code.split(MEMBER_SIGN)[1]
/** Of one merchant, those who were disabled included. */
export const MEMBERS_MAX = 200
export const NAME_CHARACTERS_MAX = 140
export const KEYS_ACTIVE_MAX = 2
export const KEY_DAYS_MAX = 3650

/** Begins every key, so that whoever searches files for forgotten secrets finds it. */
export const KEY_PREFIX = 'tgop_'
export const KEY_BYTES = 32
/** The form of a key: what does not have it is not even looked for. */
export const KEY_PATTERN = /^tgop_[A-Za-z0-9_-]{43}(?:[.][A-Za-z0-9_-]{43})?$/
/** Stands between the halves of a key that two made. */
export const KEY_JOINT = '.'

/** Begins the secret of a session, so that it is found, too, and is not taken for a key. */
export const SESSION_PREFIX = 'tgos_'
export const SESSION_PATTERN = /^tgos_[A-Za-z0-9_-]{43}$/
/** Begins the secret of an invitation, and of a fresh touch. */
export const INVITATION_PREFIX = 'tgoi_'
export const INVITATION_PATTERN = /^tgoi_[A-Za-z0-9_-]{43}$/
export const STEP_UP_PREFIX = 'tgou_'
export const STEP_UP_PATTERN = /^tgou_[A-Za-z0-9_-]{43}$/
export const PASSKEYS_ACTIVE_MAX = 10
/** Of more than these, those that were not used for longest end. */
export const SESSIONS_ACTIVE_MAX = 20

/** What a key carries that one ADMIN made, who may have kept a copy: nothing by which money leaves or operators are made. */
const ROLES_OF_ONE: readonly OperatorRole[] = ['AUDITOR', 'SUPPORT', 'CATALOGUE']

/** The same operator with the roles that such a key carries; of a merchant's ADMIN, what STAFF may. */
export function withHalfKey<Half extends Operator>(operator: Half): Half {
  const { member } = operator
  if (member?.role === 'ADMIN') return { ...operator, member: { ...member, role: 'STAFF' }, isKeyHalf: true }
  const roles = operator.roles.filter((role) => ROLES_OF_ONE.includes(role))
  return roles.length === operator.roles.length ? operator : { ...operator, roles, isKeyHalf: true }
}

const READ: readonly Permission[] = OPERATOR_PERMISSIONS.filter((permission) => permission.endsWith('.read'))
/** Reading what concerns merchants and money, but not who the operators are. */
const READ_BUSINESS = READ.filter(
  (permission) => !['operators.read', 'unmaskings.read', 'people.read'].includes(permission),
)

/**
 * What each role may do; what is not listed is denied. Money leaves by the word of an APPROVER, and nobody who makes
 * operators may be one.
 */
export const PERMISSIONS: Readonly<Record<OperatorRole, readonly Permission[]>> = {
  AUDITOR: READ,
  SUPPORT: [...READ_BUSINESS, 'payments.hold', 'payments.trigger', 'callbacks.resend', 'institutions.change'],
  FINANCE: [
    ...READ_BUSINESS,
    'volumes.recount',
    'settlements.run',
    'statements.take',
    'statements.decide',
    'statements.unmask',
    'institutions.unmask',
    'confirmations.withdraw',
    'rates.change',
    'payout-files.change',
    'payments.hold',
  ],
  APPROVER: [
    ...READ_BUSINESS,
    'payouts.approve',
    'payouts.unmask',
    'statements.unmask',
    'institutions.unmask',
    'payments.hold',
    'payments.release',
    'reviews.decide',
    'confirmations.decide',
  ],
  CATALOGUE: [
    'self.read',
    'merchants.read',
    'catalogue.read',
    'catalogue.change',
    'catalogue.apply',
    'health.read',
    'institutions.read',
    'institutions.change',
  ],
  ADMIN: [
    'self.read',
    'health.read',
    'merchants.read',
    'merchants.change',
    'merchant-keys.change',
    'people.read',
    'people.change',
    'bank-accounts.read',
    'bank-accounts.change',
    'customers.read',
    'customers.change',
    'operators.read',
    'operators.change',
  ],
}

const STAFF: readonly Permission[] = [
  'self.read',
  'payins.read',
  'payouts.read',
  'topups.read',
  'callbacks.read',
  'callbacks.resend',
  'ledger.read',
  'settlements.read',
  'customers.read',
  'merchants.read',
  'people.read',
]
/** What merchants' people may do, each for their own merchant: `rooms/member-access.ts` says by which routes. */
const MEMBER_PERMISSIONS: Readonly<Record<MemberRole, readonly Permission[]>> = {
  STAFF,
  ADMIN: [...STAFF, 'merchant-keys.change', 'people.change'],
}

/** True when one of the operator's roles permits it, or the role at their merchant. */
export function mayDo(operator: Pick<Operator, 'roles' | 'member'>, permission: Permission): boolean {
  if (operator.member !== undefined) return MEMBER_PERMISSIONS[operator.member.role].includes(permission)
  return operator.roles.some((role) => PERMISSIONS[role].includes(permission))
}

/** The roles that permit it. */
export const rolesPermitting = (permission: Permission): readonly OperatorRole[] =>
  OPERATOR_ROLES.filter((role) => PERMISSIONS[role].includes(permission))

/** Everything the operator may do, in the order of the list of permissions. */
export function permissionsOf(operator: Pick<Operator, 'roles' | 'member'>): readonly Permission[] {
  return OPERATOR_PERMISSIONS.filter((permission) => mayDo(operator, permission))
}

/** A sentence that says what is wrong with a set of roles, or undefined. */
export function problemOfRoles(roles: readonly OperatorRole[]): string | undefined {
  if (roles.length === 0) return 'An operator needs at least one role.'
  if (roles.includes('ADMIN') && roles.includes('APPROVER'))
    return 'ADMIN and APPROVER are for different people: who makes operators does not approve payouts.'
  return undefined
}

/** What an operator reads in full: whom a payment pays, a line of a statement, an institution's message, or a status report. */
export type Unmasked =
  | {
      readonly subject: 'PAYEE'
      readonly merchantId: string
      readonly kind: string
      readonly idPayment: string
    }
  | { readonly subject: 'STATEMENT_LINE'; readonly lineId: string }
  | { readonly subject: 'RAIL_NOTIFICATION'; readonly notificationNo: string }
  | { readonly subject: 'PAYOUT_REPORT'; readonly reportId: string }
  | { readonly subject: 'FAILED_DOCUMENT'; readonly documentId: string }
  | { readonly subject: 'PAYOUT_FILE'; readonly fileId: string }

/** Who has read what, as it was noted. */
export interface Unmasking {
  readonly unmaskingId: string
  readonly operatorCode: string
  readonly subject: Unmasked['subject']
  readonly merchantCode: string | undefined
  readonly kind: string | undefined
  readonly idPayment: string | undefined
  readonly lineId: string | undefined
  readonly notificationNo: string | undefined
  readonly reportId: string | undefined
  readonly documentId: string | undefined
  readonly fileId: string | undefined
  readonly seenAt: Date
}

/** What the audit log tells of a request beside the record of requests. */
interface Audited {
  readonly means?: Means['means'] | undefined
  readonly meansId?: string | undefined
  /** The merchant and whatever else the request is about. */
  readonly merchantCode?: string | undefined
  readonly subject?: string | undefined
  readonly reason?: string | undefined
}

/** A change that an operator asks the operator API for. */
export interface NewOperatorRequest extends Audited {
  readonly operatorCode: string
  /** operationId of the API's description. */
  readonly operation: string
  /** Without query and body, which may name persons. */
  readonly path: string
  readonly requestId: string
  /** The session by which it was asked; undefined for a key. */
  readonly sessionId: string | undefined
}

/** The same as it was noted. */
export interface OperatorRequest extends Omit<NewOperatorRequest, keyof Audited> {
  readonly requestNo: string
  readonly askedAt: Date
  /** Undefined while it is under way, and for good when the process ended before its answer. */
  readonly answeredStatus: number | undefined
}

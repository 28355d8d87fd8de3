// What the contract names without a schema. It is a door of its own, because most who know a code or a role never look at a
// schema, and loading those takes longer than most commands do.

export { ATTENTION_KINDS, type AttentionKind } from './attention-words.ts'
export {
  ACT_WORDS,
  AUDIT_KINDS,
  AUDIT_MEANS,
  AUDIT_OUTCOMES,
  AUDIT_VERBS,
  READ_WORDS,
} from './audit-words.ts'
export {
  CONFIRMATION_STATES,
  type ConfirmationKind,
  type ConfirmationState,
} from './confirmation-words.ts'

export { ERROR_CATALOGUE, type ErrorCode, isErrorCode } from './errors.ts'
export {
  MEMBER_ROLES,
  type MemberRole,
  OPERATOR_PERMISSIONS,
  OPERATOR_ROLES,
  type OperatorPermission,
  type OperatorRole,
} from './operator-roles.ts'
export {
  HISTORY_WORDS,
  PAYMENT_KINDS,
  PAYMENT_STATUSES,
  type PaymentKind,
  type PaymentStatus,
  PROCESSOR_STATUSES,
  type ProcessorStatus,
  TOKEN_ACTIONS,
  type TokenAction,
  TRIGGER_OUTCOMES,
  type TriggerOutcome,
} from './payment-words.ts'
export {
  STATEMENT_FILE_BYTES_MAX,
  STATEMENT_LINE_DECISIONS,
  STATEMENT_LINE_STATES,
} from './statement-words.ts'
export {
  PAYIN_INFO_TOKEN_VALIDITY_SECONDS_MAX,
  TOKEN_LENGTH_MAX,
  TOKEN_VALIDITY_SECONDS_DEFAULT,
  TOKEN_VALIDITY_SECONDS_MAX,
} from './token-limits.ts'

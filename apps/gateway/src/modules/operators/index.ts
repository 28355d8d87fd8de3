export { createOperatorAuthenticator, type OperatorAuthenticator } from './authenticator.ts'
export { OperatorProblem } from './errors.ts'
export { createIdentityDesk, createIdentityService } from './identities.ts'
export { type FreshInvitation, invitationLink, invite } from './invitations.ts'
export { createMemberService, type MemberService } from './members.ts'
export {
  mayDo,
  merchantInCode,
  type Operator,
  type OperatorAccount,
  type OperatorKey,
  type OperatorSession,
  type Permission,
  permissionsOf,
  type Unmasking,
} from './model.ts'
export { createPasskeyService } from './passkeys.ts'
export { createProvider, type ProviderSettings, redirectUriOf } from './provider.ts'
export {
  insertOperatorRequest,
  listOperatorRequests,
  updateOperatorRequestAnswered,
} from './request-store.ts'
export { createOperatorService, type OperatorService } from './service.ts'
export { createSessionService, type SessionService } from './sessions.ts'
export { createStepUpService, type StepUpService } from './step-ups.ts'
export { listPowerless } from './store.ts'
export { insertUnmasking, listUnmaskings } from './unmasking-store.ts'
export { relyingPartyOf } from './webauthn.ts'

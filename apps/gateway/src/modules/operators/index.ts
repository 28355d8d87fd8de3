export { createOperatorAuthenticator, type OperatorAuthenticator } from './authenticator.ts'
export { OperatorProblem } from './errors.ts'
export {
  mayDo,
  type Operator,
  type OperatorAccount,
  type OperatorKey,
  type Permission,
  permissionsOf,
  type Unmasking,
} from './model.ts'
export {
  insertOperatorRequest,
  listOperatorRequests,
  updateOperatorRequestAnswered,
} from './request-store.ts'
export { createOperatorService, type OperatorService } from './service.ts'
export { insertUnmasking, listUnmaskings } from './unmasking-store.ts'

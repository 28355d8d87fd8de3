export { payinSuccessPostings, type Transfer } from './model.ts'
export { balanceRoutes } from './routes.ts'
export { bookTransfers, reversalPostings } from './service.ts'
export { type Finding, type Verification, verifyBooks } from './verification.ts'

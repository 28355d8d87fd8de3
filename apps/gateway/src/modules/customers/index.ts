export { type CustomerSweeper, createCustomerSweeper } from './jobs.ts'
export type { CustomerKey } from './model.ts'
export { type CustomerDeps, type CustomerService, createCustomerService } from './service.ts'
export { sweepAgain } from './sweep-store.ts'

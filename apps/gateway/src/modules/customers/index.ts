export type { Erasure, KeptTrace, Traces } from './erasure.ts'
export { type CustomerSweeper, type CustomerSweeperDeps, createCustomerSweeper } from './jobs.ts'
export type { Customer, CustomerKey, CustomerStatus, ErasedCustomer, KnownCustomer } from './model.ts'
export {
  type CustomerDeps,
  type CustomerPage,
  type CustomerService,
  createCustomerService,
  type PaymentHooks,
} from './service.ts'
export type { Standing } from './store.ts'

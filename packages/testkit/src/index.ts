export {
  type Answer,
  type CallbackReceiver,
  type CallbackReceiverOptions,
  callbackReceiver,
  type ReceivedRequest,
} from './callback-receiver.ts'
export { testDatabase } from './database.ts'
export { freePort } from './ports.ts'
export type { TestLife } from './test-life.ts'
export { waitUntil } from './wait.ts'

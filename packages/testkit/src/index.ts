export { giveAnswer } from './answers.ts'
export {
  type AuthenticatorFaults,
  type SoftwareAuthenticator,
  softwareAuthenticator,
} from './authenticator.ts'
export { type Answer, callbackReceiver, type ReceivedRequest } from './callback-receiver.ts'
export { copyOfDatabase, emptyDatabase, runtimeUrl, testDatabase } from './database.ts'
export {
  createTestChain,
  startTestNode,
  type TestChain,
  type TestNode,
  type TestTransaction,
  transaction,
} from './evm-chain.ts'
export { type FaultProxy, faultProxy, type MessageFault } from './fault-proxy.ts'
export { type PayeeAdapter, type PayeeReply, startPayeeAdapter } from './payee-adapter.ts'
export { NO_PGBOUNCER, pgbouncer } from './pgbouncer.ts'
export { freePort } from './ports.ts'
export { NO_REDIS, type RedisServer, redisServer } from './redis-server.ts'
export { testRounds } from './rounds.ts'
export { requireEmailAddress, setRateLimit } from './sandbox.ts'
export { openSession, runSql, type SqlRow } from './sql.ts'
export type { TestLife } from './test-life.ts'
export { at, type Step } from './unknown.ts'
export { waitUntil } from './wait.ts'

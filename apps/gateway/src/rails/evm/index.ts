export { createAddresses, derivationPathOf, XpubProblem } from './addresses.ts'
export { createEvmRail, EVM_CODE, type PaymentChain } from './rail.ts'

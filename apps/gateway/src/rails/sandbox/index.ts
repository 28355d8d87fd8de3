export { createSandboxRail, isSandboxAddress, SANDBOX_ADDRESSES } from './rail.ts'

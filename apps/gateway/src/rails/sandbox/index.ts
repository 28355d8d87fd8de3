export { createSandboxRail, isSandboxAddress } from './rail.ts'

export { createSandboxService, type SandboxService } from './service.ts'

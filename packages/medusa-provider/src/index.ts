import { TollgateProvider } from './provider.ts'

export type { MedusaContainer, MedusaParts } from './medusa.ts'
export { type OpenPaymentsOptions, type OpenPaymentsReport, openPaymentsJob } from './open-payments.ts'
export type { TollgateOptions } from './options.ts'
export { TollgateProvider } from './provider.ts'

/** What Medusa takes from a package that it is told to resolve: by default, since it writes into the object. */
const medusaModule = { module: 'payment', services: [TollgateProvider] }

export { medusaModule as default }

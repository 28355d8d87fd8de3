import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Log } from '@tollgate/runtime'
import type { Config } from '../config.ts'
import { checkoutSecret, checkoutServiceKey } from '../keys/checkout-keys.ts'
import type { Secrets } from '../platform/secrets.ts'
import { type RunningProgram, superviseProgram } from './child-program.ts'
import { dataDirOf } from './installation.ts'
import { ownUrl } from './simulator.ts'

// The hosted payment page (specification 4.9), as a process of its own: it talks to the API with its customers' tokens.

interface CheckoutDeps {
  readonly config: Config
  readonly secrets: Secrets
  readonly log: Log
}

/** The program of the page. */
export const CHECKOUT_MAIN = fileURLToPath(new URL('../../../checkout/src/main.ts', import.meta.url))

/** Starts the page; undefined where its port is 0. */
export function startCheckout({ config, secrets, log }: CheckoutDeps): RunningProgram | undefined {
  if (config.TOLLGATE_CHECKOUT_PORT === 0) return undefined
  const folder = join(dataDirOf(config), 'checkout')
  return superviseProgram({
    name: 'the payment page',
    main: CHECKOUT_MAIN,
    folder,
    logFile: join(folder, 'checkout.log'),
    environment: checkoutEnvironment(config, secrets),
    log,
  })
}

/** What the page is told. */
function checkoutEnvironment(config: Config, secrets: Secrets): Record<string, string> {
  return { ...checkoutSettings(config), ...checkoutKeys(secrets) }
}

/** The page's settings that follow from the gateway's. */
export function checkoutSettings(config: Config): Record<string, string> {
  return {
    CHECKOUT_HOST: config.hosts.CHECKOUT,
    CHECKOUT_PORT: String(config.TOLLGATE_CHECKOUT_PORT),
    CHECKOUT_METRICS_HOST: config.hosts.METRICS,
    CHECKOUT_PUBLIC_URL: config.publicCheckoutUrl,
    CHECKOUT_API_URL: ownUrl(config.hosts.API, config.TOLLGATE_API_PORT),
    CHECKOUT_ENVIRONMENT: config.TOLLGATE_ENVIRONMENT,
    CHECKOUT_TRUST_PROXY: config.TOLLGATE_TRUST_PROXY,
    ...(config.TOLLGATE_CELL !== undefined && { CHECKOUT_CELL: config.TOLLGATE_CELL }),
  }
}

/** What the page must know to be this gateway's. Whoever has them can read sessions and act as the page. */
export function checkoutKeys(secrets: Secrets): Record<string, string> {
  return {
    CHECKOUT_SECRET: checkoutSecret(secrets).toString('base64'),
    CHECKOUT_SERVICE_KEY: checkoutServiceKey(secrets),
  }
}

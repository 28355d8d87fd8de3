import { join } from 'node:path'
import { freePort, type TestLife, waitUntil } from '@tollgate/testkit'
import type { TestGateway } from './gateway.ts'
import { at, listAt, textAt } from './json.ts'
import { type Outcome, startProgram } from './process.ts'

const SHOP = 'apps/shop/src/main.ts'
const START_TIMEOUT_MS = 60_000
const RUN_TIMEOUT_MS = 180_000

/** A shop that calls the gateway through certify, at its own port. */
interface CertifiedShop {
  readonly url: string
  /** Where certify is to listen. */
  readonly port: number
}

/** Starts the shop of the repository, or a copy of it; `apiUrl` is what it takes for the gateway in place of certify. */
export async function startShop(
  t: TestLife,
  gateway: TestGateway,
  { main = SHOP, apiUrl }: { readonly main?: string; readonly apiUrl?: string } = {},
): Promise<CertifiedShop> {
  const port = await freePort()
  const shopPort = await freePort()
  const url = `http://127.0.0.1:${shopPort}`
  const program = startProgram([main], {
    SHOP_PORT: String(shopPort),
    SHOP_URL: url,
    SHOP_API_URL: apiUrl ?? `http://127.0.0.1:${port}`,
    SHOP_MERCHANT_FILE: join(gateway.dataDir, 'demo', 'merchant.json'),
  })
  t.after(async () => {
    program.kill('SIGTERM')
    await program.end
  })
  const isOpen = async (): Promise<boolean> => {
    if (program.ended() !== undefined) throw new Error(`the shop ended: ${program.stderr()}`)
    return (await fetch(url).catch(() => undefined)) !== undefined
  }
  await waitUntil(isOpen, { timeoutMs: START_TIMEOUT_MS, what: 'the shop to listen' })
  return { url, port }
}

/** How a shop is bought at: by its own form, or on the payment page. */
export const DIRECT = { path: '/forms/pot', form: 'method=BANK_TRANSFER' } as const
export const ON_PAGE = { path: '/orders', form: 'good=pot&scenario=1' } as const

/** Runs `tollgate certify` against a shop. */
export function certify(
  gateway: TestGateway,
  shop: CertifiedShop,
  { path, form }: { readonly path: string; readonly form: string },
  ...more: readonly string[]
): Promise<Outcome> {
  const order = ['--order', `${shop.url}${path}`, '--order-form', form, '--port', String(shop.port)]
  return gateway.tryCli(['certify', ...order, ...more], RUN_TIMEOUT_MS)
}

/** The names of the cases that ended so. */
export const namesWith = (report: unknown, result: string): readonly string[] =>
  listAt(report, 'cases')
    .filter((each) => at(each, 'result') === result)
    .map((each) => textAt(each, 'name'))

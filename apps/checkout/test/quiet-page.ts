import { createLog } from '@tollgate/runtime/log'
import { freePort, type TestLife } from '@tollgate/testkit'
import { type Checkout, type CheckoutOptions, startCheckout } from '../src/server.ts'

/** A page that says nothing to its log, and ends with the test. Its gateway is not there unless the test names one. */
export async function quietPage(t: TestLife, more: Partial<CheckoutOptions> = {}): Promise<Checkout> {
  const page = await startCheckout({
    host: '127.0.0.1',
    port: 0,
    publicUrl: 'http://localhost:1',
    // Nobody listens there.
    apiUrl: `http://127.0.0.1:${await freePort()}`,
    secret: Buffer.alloc(32, 1),
    serviceKey: 'k'.repeat(64),
    isLive: false,
    log: createLog({ level: 'silent' }),
    drainSeconds: 1,
    ...more,
  })
  t.after(() => page.stop())
  return page
}

import assert from 'node:assert/strict'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { freePort } from '@tollgate/testkit'
import { certify, DIRECT, namesWith, ON_PAGE, startShop } from './support/certified.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { startOtherShop } from './support/other-shop.ts'
import { openServer } from './support/server.ts'
import { copyShop, SHOP_FAULTS } from './support/shop-faults.ts'

// `tollgate certify`: twenty shops, each wrong in one way, and the case that must see it.

const AT_A_TIME = 3
const gateway = await startGateway({ after })

describe('a shop is caught', { concurrency: AT_A_TIME }, () => {
  for (const { caughtBy, title, patches } of SHOP_FAULTS)
    test(`by ${caughtBy} where ${title}`, async (t) => {
      const folder = temporaryFolder()
      t.after(() => rmSync(folder, { recursive: true, force: true }))
      const shop = await startShop(t, gateway, { main: copyShop(folder, { patches }) })
      const { code, stdout, stderr } = await certify(gateway, shop, DIRECT, '--json', '--only', caughtBy)
      assert.equal(code, 1, stderr)
      assert.deepEqual(namesWith(JSON.parse(stdout), 'FAILED'), [caughtBy], stdout)
    })
})

test('the shop without a fault passes all of them on the payment page', async () => {
  const { code, stdout, stderr } = await certify(gateway, await startShop({ after }, gateway), ON_PAGE)
  assert.equal(code, 0, stdout + stderr)
  assert.match(stdout, /^20 of 20 cases passed\.$/m)
})

test('a shop that notes callbacks and works afterwards, without the SDK, passes all of them', async () => {
  const port = await freePort()
  const privateKey = readFileSync(join(gateway.dataDir, 'demo', 'private-key.pem'), 'utf8')
  const wish = { apiUrl: `http://127.0.0.1:${port}`, merchantCode: 'DEMO', privateKey }
  const url = await startOtherShop({ after }, wish)
  const { code, stdout, stderr } = await certify(gateway, { url, port }, { path: '/buy', form: '' })
  assert.match(stdout, /^20 of 20 cases passed\.$/m, stdout + stderr)
  assert.equal(code, 0)
})

test('where the receiver is silent, two cases wait for it and the others are not played', async () => {
  const silent = await openServer({ after }, () => undefined)
  const shop = await startShop({ after }, gateway)
  const { code, stdout } = await certify(gateway, shop, DIRECT, '--callback', silent)
  assert.equal(code, 1)
  assert.match(stdout, /^FAILED {2}early .+ did not answer \(no answer in 10 s\); .+ with --callback\.$/m)
  assert.equal(stdout.match(/^not run /gm)?.length, 18)
  assert.match(stdout, /^0 of 20 cases passed\.$/m)
})

test('there is a fault for every case', async () => {
  const shop = await startShop({ after }, gateway)
  const { stdout } = await certify(gateway, shop, DIRECT, '--json')
  const cases = namesWith(JSON.parse(stdout), 'PASSED')
  assert.deepEqual(SHOP_FAULTS.map(({ caughtBy }) => caughtBy).toSorted(), cases.toSorted())
})

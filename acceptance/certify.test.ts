import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '@tollgate/testkit'
import { certify, DIRECT, namesWith, ON_PAGE, startShop } from './support/certified.ts'
import { startGateway } from './support/gateway.ts'
import { at } from './support/json.ts'
import { openServer } from './support/server.ts'

// `tollgate certify`: the shop of the repository passes every case, and what cannot be certified is told.

const gateway = await startGateway({ after })

// At the same time as the one that waits for an answer.
const page = join(gateway.dataDir, 'certificate.html')
const direct = certify(gateway, await startShop({ after }, gateway), DIRECT, '--json', '--report', page)

const silent = certify(gateway, { url: await openServer({ after }, () => undefined), port: 0 }, DIRECT)
const idle = await startShop({ after }, gateway)

test('the shop passes all twenty cases by its own form, and the report says so as a page', async () => {
  const { code, stdout, stderr } = await direct
  const report: unknown = JSON.parse(stdout === '' ? '{}' : stdout)
  assert.deepEqual(namesWith(report, 'FAILED'), [], stdout)
  assert.equal(namesWith(report, 'PASSED').length, 20, stderr)
  assert.equal(at(report, 'passed'), 20)
  assert.equal(code, 0, stderr)
  assert.match(readFileSync(page, 'utf8'), /<h1>20 of 20 cases passed\.<\/h1>/)
})

const around = await startShop({ after }, gateway, { apiUrl: gateway.url })

/** How certify says that it cannot begin: in one sentence, with this exit code. */
const TROUBLES = [
  {
    title: 'a shop that is not there',
    run: async () => certify(gateway, { url: `http://127.0.0.1:${await freePort()}`, port: 0 }, DIRECT),
    exitCode: 8,
    says: /^The shop cannot be certified: the shop’s address for orders did not answer \(ECONNREFUSED\); expected: an answer within 10 s\. Start the shop, see what it waits for, or give another address with --order\.$/,
  },
  {
    title: 'a shop that never answers',
    run: async () => silent,
    exitCode: 8,
    says: /^The shop cannot be certified: .+ did not answer \(no answer in 10 s\)/,
  },
  {
    title: 'a shop that calls the gateway by another way',
    run: async () => certify(gateway, around, DIRECT),
    exitCode: 2,
    says: /^The shop does not call the gateway through certify: set the gateway’s address in your shop to http:\/\/127\.0\.0\.1:\d+, /,
  },
  {
    title: 'a return page that is none',
    run: async () => certify(gateway, idle, DIRECT, '--return', `${idle.url}/forms/pot`),
    exitCode: 2,
    says: /^The shop cannot be certified: the shop’s return page answered 200 without JSON .+ expected: 200 and \{"idPayin"/,
  },
  {
    title: 'a shop of another merchant',
    run: async () => {
      await gateway.cli('merchants', 'create', 'OTHER', '--name', 'Other')
      return certify(gateway, idle, ON_PAGE, '--merchant', 'OTHER')
    },
    exitCode: 2,
    says: /^The shop uses the merchant DEMO, not OTHER: name it with --merchant\.$/,
  },
  {
    title: 'a case that there is not',
    run: async () => certify(gateway, idle, DIRECT, '--only', 'thrice'),
    exitCode: 2,
    says: /^There is no case thrice\. The cases: early, return-first, twice, /,
  },
] as const

for (const { title, run, exitCode, says } of TROUBLES)
  test(`${title} is told in one sentence`, async () => {
    const { code, stdout, stderr } = await run()
    assert.match(stderr.trimEnd(), says)
    assert.equal(stderr.trimEnd().split('\n').length, 1, stderr)
    assert.equal(stdout, '')
    assert.equal(code, exitCode)
  })

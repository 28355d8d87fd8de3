import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { freePort } from '@tollgate/testkit'
import { startGateway } from './support/gateway.ts'

// What merchants install: built, packed, and installed in an empty folder outside of this repository.

const run = promisify(execFile)
const PACKED_BYTES_MAX = 40 * 1024
/** Of the system; the tests themselves run on the one that npm installed. */
const SYSTEM_NODE = '/usr/bin/node'

const gateway = await startGateway({ after })
const shop = mkdtempSync(join(tmpdir(), 'tollgate-shop-'))
after(() => rmSync(shop, { recursive: true, force: true }))

before(async () => {
  await run('npm', ['run', '--silent', 'sdk'])
  await run('npm', ['pack', '--silent', '--pack-destination', shop, './packages/sdk/dist'])
  const [packed = ''] = readdirSync(shop)
  assert.ok(statSync(join(shop, packed)).size < PACKED_BYTES_MAX, 'the package is small')
  writeFileSync(join(shop, 'package.json'), '{ "private": true }\n')
  await run('npm', ['install', '--silent', '--offline', '--no-audit', `./${packed}`], { cwd: shop })
})

const SHOP = `
import { createServer } from 'node:http'
import { callbackHandler, createGateway } from '@tollgate/sdk'

const { BASE_URL: baseUrl, MERCHANT_CODE: merchantCode, PRIVATE_KEY: privateKey, PORT: port, ID: id } = process.env
const gateway = createGateway({ baseUrl, merchantCode, privateKey })
const publicKeys = async () => (await gateway.merchantInfo()).callbackPublicKeys
const onPayment = async ({ idEntity }) => {
  const { process: { status }, paymentRequested: { money } } = await gateway.payins.read(idEntity)
  if (status !== 'SUCCESS') return
  console.log(idEntity, status, money.amount, money.currencyCode)
  server.close()
  server.closeAllConnections()
}
const server = createServer(callbackHandler({ publicKeys, onPayment })).listen(Number(port), '127.0.0.1')
const { created } = await gateway.payins.create(id, {
  money: { amount: '149.90', currencyCode: 'EUR' },
  paymentMethodCode: 'BANK_TRANSFER',
  emailAddress: 'success@sandbox.test',
  callbackUrl: \`http://127.0.0.1:\${port}/callbacks\`,
})
if (!created) throw new Error('somebody else has this id')
`

async function buyOn(node: string, id: string): Promise<string> {
  writeFileSync(join(shop, 'shop.mjs'), SHOP)
  const { stdout } = await run(node, ['shop.mjs'], {
    cwd: shop,
    timeout: 60_000,
    env: {
      BASE_URL: gateway.url,
      MERCHANT_CODE: 'DEMO',
      PRIVATE_KEY: readFileSync(join(gateway.dataDir, 'demo', 'private-key.pem'), 'utf8'),
      PORT: String(await freePort()),
      ID: id,
    },
  })
  return stdout.trim()
}

test('the packed SDK has no dependency, no source and nothing else to install', () => {
  const installed = join(shop, 'node_modules')
  assert.deepEqual(
    readdirSync(installed).filter((name) => !name.startsWith('.')),
    ['@tollgate'],
  )
  assert.deepEqual(readdirSync(join(installed, '@tollgate')), ['sdk'])
  const files = readdirSync(join(installed, '@tollgate/sdk'))
  assert.deepEqual(files.filter((name) => !/\.(?:js|d\.ts)$/.test(name)).sort(), [
    'LICENSE',
    'README.md',
    'package.json',
  ])
  for (const name of files) {
    const text = readFileSync(join(installed, '@tollgate/sdk', name), 'utf8')
    if (/\.(?:js|d\.ts)$/.test(name)) assert.doesNotMatch(text, /from '(?!\.\/[\w-]+\.js')/, name)
    // Runtimes without Node have neither.
    if (name.endsWith('.js'))
      assert.doesNotMatch(text, /\bBuffer\b|\bprocess\.(?:env|version)|\brequire\(/, name)
  }
})

test('a shop with the packed SDK sells on the Node that this project runs on', async () => {
  assert.equal(await buyOn(process.execPath, 'NODE-24'), 'NODE-24 SUCCESS 149.9 EUR')
})

test('a shop with the packed SDK sells on the Node of the system', async (t) => {
  if (!existsSync(SYSTEM_NODE)) return t.skip(`there is no ${SYSTEM_NODE}`)
  assert.equal(await buyOn(SYSTEM_NODE, 'NODE-SYSTEM'), 'NODE-SYSTEM SUCCESS 149.9 EUR')
})

test('CommonJS can require the packed SDK', async () => {
  writeFileSync(join(shop, 'shop.cjs'), "console.log(typeof require('@tollgate/sdk').createGateway)\n")
  const { stdout } = await run(process.execPath, ['shop.cjs'], { cwd: shop })
  assert.equal(stdout.trim(), 'function')
})

test('TypeScript knows the records of the packed SDK, without any other types, in both ways of finding modules', async () => {
  const source = `
import { createGateway, type Payin, TollgateError } from '@tollgate/sdk'
const gateway = createGateway({ baseUrl: 'https://pay.example', merchantCode: 'SHOP', privateKey: '' })
async function isPaid(id: string): Promise<boolean> {
  const payin: Payin = await gateway.payins.read(id)
  const amount: string = payin.paymentRequested.money.amount
  // @ts-expect-error -- an amount is a text
  const wrong: number = payin.paymentRequested.money.amount
  return amount !== '' && wrong !== 0 && payin.process.status === 'SUCCESS'
}
const retries = (error: unknown): boolean => error instanceof TollgateError && error.retryable
void [isPaid, retries]
`
  writeFileSync(join(shop, 'shop.ts'), source)
  mkdirSync(join(shop, 'types'), { recursive: true })
  const compiler = resolve('node_modules/typescript/bin/tsc')
  for (const [module, moduleResolution] of [
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ] as const) {
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom',
      '--typeRoots',
      'types',
    ]
    const how = ['--module', module, '--moduleResolution', moduleResolution]
    await run(process.execPath, [compiler, ...flags, ...how, 'shop.ts'], { cwd: shop })
  }
})

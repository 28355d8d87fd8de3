import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { waitUntil } from '@tollgate/testkit'
import { camtStatement } from './support/camt.ts'
import { expectSuccess } from './support/expectations.ts'
import { startGateway, temporaryFolder } from './support/gateway.ts'
import { at, textAt } from './support/json.ts'
import { createMerchant } from './support/merchant.ts'
import { payinBody, payinWithStatus } from './support/payins.ts'

// From an empty live database to the first paid bank transfer: the commands of the guide, word for word, and no SQL.

const GUIDE = readFileSync(new URL('../docs/guides/catalogue.md', import.meta.url), 'utf8')
const PAYER = { payerName: 'Jana Novak', payerIban: 'FR1420041010050500013M02606' } as const
const folder = temporaryFolder()

const gateway = await startGateway(
  { after },
  {
    settings: {
      TOLLGATE_ENVIRONMENT: 'live',
      TOLLGATE_PUBLIC_API_URL: 'https://pay.example',
      TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://checkout.example',
    },
  },
)

/** The commands of the guide's first two blocks. */
const [setUp = [], pay = []] = [...GUIDE.matchAll(/```bash\n(.+?)```/gs)].map(([, block = '']) =>
  block.trim().split('\n'),
)

const isFile = (word: string): boolean => /\.(?:key|yaml|pem|xml)$/.test(word)

/** Runs a line as a shell would, in a folder of its own. */
async function walk(line: string): Promise<string> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain)
  const [npx, tollgate, ...rest] = words.map((word) => (isFile(word) ? join(folder, word) : word))
  // What a shell does itself.
  if (npx === 'chmod' || npx === 'export') return ''
  assert.deepEqual([npx, tollgate], ['npx', 'tollgate'], line)
  if (rest[0] === 'doctor') return examine()
  const to = rest.indexOf('>')
  const command = to === -1 ? rest : rest.slice(0, to)
  const needsKey = command[0] !== 'operators' && command[1] !== 'starter'
  const hasKey = command.includes('--operator-key-file')
  const key = needsKey && !hasKey ? ['--operator-key-file', join(folder, 'ada.key')] : []
  const { stdout } = await gateway.cli(...command, ...key)
  if (to !== -1) writeFileSync(rest[to + 1] ?? '', stdout, { mode: 0o600 })
  return stdout
}

/** The servers of tests lose in a power cut what was accepted, which doctor says; nothing else may be wrong. */
async function examine(): Promise<string> {
  let said = ''
  const isAnswered = async (): Promise<boolean> => {
    said = await gateway.cli('doctor').then(
      ({ stdout }) => stdout,
      (error: unknown) => String(error),
    )
    return !said.includes('did not answer in time')
  }
  // On a busy machine the database may take longer for a moment than the gateway waits for it when it is asked how it is.
  await waitUntil(isAnswered, { timeoutMs: 60_000, what: 'the gateway to be ready' })
  assert.match(said, /^ok {4}catalogue .*1 method takes payments\.$/m)
  assert.doesNotMatch(said.replace(/^FAIL {2}durability .*$/m, ''), /^(?:FAIL|warn)/m)
  return said
}

test('from an empty live database to a paid bank transfer by the guide', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 })
  writeFileSync(join(folder, 'shop-public.pem'), publicKey.export({ type: 'spki', format: 'pem' }))
  assert.ok(setUp.length > 5 && pay.length === 3)
  for (const line of setUp) await walk(line)
  // This test asks more often than a shop.
  await walk('npx tollgate merchants set-rate-limit SHOP 1000')

  const shop = createMerchant(gateway, {
    code: 'SHOP',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  })
  const token = await shop.token('POST /payins/.*', 'GET /payins/.*')
  const body = payinBody({ amount: '149.90', callbackUrl: 'https://shop.example/callbacks' })
  const created = await gateway.send({ method: 'POST', path: '/payins/FIRST', token, body })
  const instructions = at(expectSuccess(created, 201), 'paymentMethodResponse')
  const iban = textAt(instructions, 'account', 'accountNumber')
  const credit = { ...PAYER, amount: '149.90', reference: textAt(instructions, 'reference') }
  writeFileSync(join(folder, 'statement.xml'), camtStatement(iban, [credit]))
  let digest = ''
  for (const line of pay) {
    const said = await walk(line.replace('DIGEST', digest))
    digest = /^Digest:? +([0-9a-f]{64})/m.exec(said)?.[1] ?? digest
  }
  await payinWithStatus(gateway, token, { id: 'FIRST', status: 'SUCCESS', timeoutMs: 60_000 })
})

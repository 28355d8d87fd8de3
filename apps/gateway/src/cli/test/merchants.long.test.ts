import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runSql, waitUntil } from '@tollgate/testkit'
import {
  at,
  type Environment,
  expectFailure,
  expectRefusal,
  run,
  runJson,
  startGateway,
  temporaryFolder,
  textAt,
} from './support.ts'

// One gateway for all; each part leaves behind what the next one builds on.

test('merchants and their tokens, from the first key to the last revocation', async (t) => {
  const environment = await startGateway(t)
  const folder = temporaryFolder(t)
  const { privateKeyFile, publicKeyFile } = writePair(folder)
  const create = ['token', 'create', '--merchant', 'SHOP', '--private-key-file', privateKeyFile]

  await t.test('a merchant is made once, with a key of its own', async () => {
    const merchant = await runJson(['merchants', 'create', 'SHOP', '--name', 'My Shop'], environment)
    assert.equal(textAt(merchant, 'channel', 'name'), 'My Shop')
    const key = await runJson(['merchants', 'add-key', 'SHOP', publicKeyFile], environment)
    assert.equal(at(key, 'bits'), 2048)
    await Promise.all([
      expectFailure(['merchants', 'create', 'SHOP'], environment, {
        exitCode: 5,
        says: /The merchant code SHOP is taken/,
      }),
      expectRefusal(['merchants', 'add-key', 'DEMO', publicKeyFile], environment, {
        exitCode: 5,
        says: /registered already/,
      }),
      expectRefusal(['merchants', 'add-key', 'SHOP', privateKeyFile], environment, {
        exitCode: 2,
        says: /PRIVATE key/,
      }),
      expectRefusal(['merchants', 'show', 'NOBODY'], environment, {
        exitCode: 4,
        says: /There is no merchant NOBODY/,
      }),
      expectRefusal(['merchants', 'remove-key', 'SHOP', 'key_X'], environment, {
        exitCode: 4,
        says: /no active key key_X/,
      }),
    ])
  })

  await t.test('terms are set by sentences, and refused by sentences', async () => {
    const all = await runJson(['merchants', 'enable-method', 'SHOP', 'all'], environment)
    assert.ok(
      listAt(all, 'methods', 'PAYIN').includes('PIX') && listAt(all, 'methods', 'PAYOUT').includes('PIX'),
    )
    const fewer = await runJson(
      ['merchants', 'disable-method', 'SHOP', 'all', '--direction', 'payout'],
      environment,
    )
    assert.deepEqual(listAt(fewer, 'methods', 'PAYOUT'), [])
    const [limit, fee] = await Promise.all([
      run(['merchants', 'set-limit', 'SHOP', 'pix', '--currency', 'brl', '--max', '100.5'], environment),
      run(['merchants', 'set-fee', 'house', 'pix', '--currency', 'BRL', '--percentage', '1.5'], environment),
      expectRefusal(['merchants', 'enable-method', 'SHOP', 'NOPE'], environment, {
        exitCode: 2,
        says: /There is no payment method NOPE\. There are: /,
      }),
      expectRefusal(
        ['merchants', 'set-limit', 'SHOP', 'PIX', '--currency', 'BRL', '--min', '0.001'],
        environment,
        { exitCode: 2, says: /too many decimals/ },
      ),
      expectRefusal(['merchants', 'disable-method', 'SHOP', 'pix', '--direction', 'payout'], environment, {
        exitCode: 2,
        says: /has no method PIX for PAYOUT/,
      }),
    ])
    assert.equal(limit.stdout, 'SHOP, PAYIN by PIX in BRL: up to 100.5.\n')
    assert.equal(fee.stdout, 'All merchants, PAYIN by PIX in BRL: 0 BRL and 1.5 %.\n')
  })

  await t.test('a secret is printed alone on standard output, and a third one is refused', async () => {
    const first = await run(['merchants', 'add-secret', 'SHOP'], environment)
    assert.match(first.stdout, /^sec_[A-Za-z0-9_-]{43}\n$/)
    const second = await runJson(['merchants', 'add-secret', 'SHOP'], environment)
    await expectRefusal(['merchants', 'add-secret', 'SHOP'], environment, {
      exitCode: 5,
      says: /has 2 active secrets/,
    })
    await runJson(['merchants', 'remove-secret', 'SHOP', textAt(second, 'secretId')], environment)
    const shown = await run(['merchants', 'show', 'SHOP', '--json'], environment)
    assert.doesNotMatch(shown.stdout, /PRIVATE|hash/i)
    assert.equal(at(JSON.parse(shown.stdout), 'secrets'), 1)
  })

  await t.test('a rotation of the callback key publishes the new key before the old one', async () => {
    const before = textAt(await runJson(['merchants', 'show', 'SHOP'], environment), 'callbackPublicKeys', 0)
    const rotated = await runJson(['merchants', 'rotate-callback-key', 'SHOP'], environment)
    assert.equal(textAt(rotated, 'callbackPublicKeys', 1), before)
    assert.notEqual(textAt(rotated, 'callbackPublicKeys', 0), before)
  })

  await t.test('switches are shown as they are after the change', async () => {
    const channel = async (...options: readonly string[]): Promise<unknown> =>
      at(await runJson(['merchants', 'set-channel', 'SHOP', ...options], environment), 'channel')
    await channel('--support-email', 'help@shop.example', '--color', '#0b57d0')
    assert.deepEqual(Object.keys(Object(await channel('--support-email', ''))), ['name', 'primaryColor'])
    await runJson(['merchants', 'set-rate-limit', 'SHOP', '25'], environment)
    await runJson(['merchants', 'secret-login', 'SHOP', 'off'], environment)
    const merchant = await runJson(
      ['merchants', 'set-origins', 'SHOP', 'https://shop.example/', 'https://shop.example'],
      environment,
    )
    assert.deepEqual(listAt(merchant, 'allowedOrigins'), ['https://shop.example'])
    assert.deepEqual([at(merchant, 'rateLimitPerSecond'), at(merchant, 'secretEnabled')], [25, false])
  })

  await t.test('a token is asked of the API, explained, and revoked', async () => {
    const token = textAt(
      await runJson(
        [...create, '--action', 'payin_create', '--id', 'ORD-1', '--amount', '149.90', '--currency', 'eur'],
        environment,
      ),
      'token',
    )
    const known = await runJson(['token', 'explain', '-'], environment, token)
    assert.deepEqual(
      [at(known, 'signature'), at(known, 'sub'), at(known, 'revoked'), at(known, 'money', 'amount')],
      ['VALID', 'SHOP', false, '149.9'],
    )
    assert.deepEqual(listAt(known, 'entries', 1, 'routes', 0, 'ids'), ['ORD-1'])
    await runJson(['token', 'revoke', '-'], environment, token)
    const [revoked, altered, elsewhere] = await Promise.all([
      run(['token', 'explain', token], environment),
      run(['token', 'explain', alter(token)], environment),
      run(['token', 'explain', token], { TOLLGATE_DATA_DIR: folder }),
      expectRefusal(['token', 'revoke', alter(token)], environment, {
        exitCode: 2,
        says: /not signed by this installation/,
      }),
    ])
    assert.match(revoked.stdout, /^Opens +nothing: it was revoked$/m)
    assert.match(altered.stdout, /^Opens +nothing: its signature does not hold$/m)
    assert.match(elsewhere.stdout, /^Signature +not checked: no installation runs here/m)
  })

  await t.test('what the API answers becomes the exit code', async () => {
    const operation = ['--operation', 'GET /balances']
    const others = writePair(folder, 'other')
    await Promise.all([
      expectRefusal([...create, '--operation', 'GET /x{3}'], environment, {
        exitCode: 2,
        says: /^The API answers 400: .*count/,
      }),
      expectRefusal(
        ['token', 'create', '--merchant', 'SHOP', '--private-key-file', others.privateKeyFile, ...operation],
        environment,
        { exitCode: 3, says: /^The API answers 401: / },
      ),
      expectRefusal([...create, ...operation, '--api-url', 'http://127.0.0.1:9'], environment, {
        exitCode: 8,
        says: /^The API does not answer at http:\/\/127\.0\.0\.1:9/,
      }),
    ])
    await runJson(['merchants', 'disable', 'SHOP'], environment)
    await expectFailureSoon([...create, ...operation], environment, 3, /^The API answers 403: /)
    await runJson(['merchants', 'enable', 'SHOP'], environment)
  })

  await t.test('revoking all tokens of a merchant shows in each of them', async () => {
    const token = textAt(
      await runJson(['token', 'create', '--operation', 'GET /balances'], environment),
      'token',
    )
    await runJson(['merchants', 'revoke-tokens', 'DEMO'], environment)
    assert.equal(at(await runJson(['token', 'explain', token], environment), 'revoked'), true)
    const revoke = async (when: string): Promise<void> => {
      const { TOLLGATE_DATABASE_URL: url } = environment
      assert.ok(url !== undefined)
      await runSql(url, `update merchants set tokens_not_before = ${when} where merchant_code = 'DEMO'`)
    }
    await revoke(`clock_timestamp() + interval '1 hour'`)
    await expectFailureSoon(['token', 'create', '--operation', 'GET /balances'], environment, 3, REVOKED)
    await revoke('clock_timestamp()')
  })

  await t.test('a rotated key signs new tokens, and the one before still counts', async () => {
    const before = await tokenAfterRevocation(environment)
    const waiting = textAt(await runJson(['keys', 'rotate'], environment), 'kid')
    const statuses = async (): Promise<readonly string[]> =>
      listAt(await runJson(['keys', 'list'], environment), 'data').map(
        (key) => `${textAt(key, 'kid')} ${textAt(key, 'status')}`,
      )
    const [meanwhile, signing] = await statuses()
    assert.equal(meanwhile, `${waiting} WAITING`)
    assert.match(signing ?? '', / ACTIVE$/)
    for (const way of [[], ['--local']])
      await expectRefusal(['keys', 'rotate', ...way], environment, {
        exitCode: 5,
        says: /The key tg_\w{12} is published already and signs from 20/,
      })
    const kid = textAt(await runJson(['keys', 'rotate', '--now'], environment), 'kid')
    const [newest, ...others] = await statuses()
    assert.equal(newest, `${kid} ACTIVE`)
    assert.ok(others.length === 2 && others.every((key) => key.endsWith(' VERIFY_ONLY')))
    assert.equal(at(await runJson(['token', 'explain', before], environment), 'signature'), 'VALID')
  })

  await t.test('a key is made at the database where no gateway can be asked', async () => {
    const alone = { ...environment, TOLLGATE_OPERATOR_PORT: '1' }
    await expectRefusal(['keys', 'rotate', '--now'], alone, { exitCode: 8, says: /operator API/ })
    const made = await run(['keys', 'rotate', '--now', '--local'], alone)
    assert.match(made.stderr, /^New tokens are signed with this key\./)
    const listed = await run(['keys', 'list'], environment)
    assert.match(listed.stdout, new RegExp(`^${made.stdout.trim()} +ACTIVE `, 'm'))
  })

  await t.test('another master key is noticed before it does harm, and none is ever made', async () => {
    const wrong = { ...environment, TOLLGATE_DATA_DIR: temporaryFolder(t) }
    await expectRefusal(['keys', 'rotate', '--local'], wrong, {
      exitCode: 2,
      says: /^There is no master key in /,
    })
    const file = join(wrong.TOLLGATE_DATA_DIR, 'master.key')
    assert.equal(existsSync(file), false)
    writeFileSync(file, Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 })
    const ports = { TOLLGATE_API_PORT: '0', TOLLGATE_METRICS_PORT: '0' }
    await Promise.all([
      expectRefusal(['keys', 'rotate', '--local'], wrong, {
        exitCode: 2,
        says: /is not the one this database was used with/,
      }),
      expectRefusal(
        ['worker'],
        { ...wrong, ...ports },
        { exitCode: 2, says: /is not the one this database was used with/ },
      ),
    ])
    assert.equal(readFileSync(file, 'utf8'), Buffer.alloc(32, 7).toString('base64'))
  })
})

function writePair(folder: string, name = 'shop'): { privateKeyFile: string; publicKeyFile: string } {
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const privateKeyFile = join(folder, `${name}.pem`)
  const publicKeyFile = join(folder, `${name}.pub.pem`)
  writeFileSync(privateKeyFile, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(publicKeyFile, pair.publicKey.export({ type: 'spki', format: 'pem' }))
  return { privateKeyFile, publicKeyFile }
}

/** The first character of the signature, changed: the last ones may be bits that do not count. */
function alter(token: string): string {
  const cut = token.lastIndexOf('.') + 1
  return `${token.slice(0, cut)}${token[cut] === 'A' ? 'B' : 'A'}${token.slice(cut + 1)}`
}

function listAt(value: unknown, ...way: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...way)
  assert.ok(Array.isArray(found), `no list at ${way.join('.')}`)
  return found
}

const TRIES_MAX = 10

/** A request that was signed in the second of the revocation is refused, and the person is told what to do. */
async function tokenAfterRevocation(environment: Environment): Promise<string> {
  let token = ''
  const isAccepted = async (): Promise<boolean> => {
    const outcome = await run(['token', 'create', '--operation', 'GET /balances', '--json'], environment)
    if (outcome.exitCode === 0) token = textAt(JSON.parse(outcome.stdout), 'token')
    else assert.match(outcome.stderr, REVOKED)
    return outcome.exitCode === 0
  }
  await waitUntil(isAccepted, { timeoutMs: 60_000, what: 'a token after the revocation' })
  return token
}

const REVOKED = /The API answers 401: .*revoked.* in the same second\. Sign a new request in a second\./

/** A running gateway notices a change within about a second. */
async function expectFailureSoon(
  args: readonly string[],
  environment: Environment,
  exitCode: number,
  says: RegExp,
): Promise<void> {
  for (let tries = 1; tries < TRIES_MAX; tries += 1) {
    if ((await run(args, environment)).exitCode === exitCode) break
  }
  await expectRefusal(args, environment, { exitCode, says })
}

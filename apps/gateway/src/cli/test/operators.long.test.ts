import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { runSql } from '@tollgate/testkit'
import {
  at,
  expectFailure,
  expectRefusal,
  run,
  runJson,
  startGateway,
  temporaryFolder,
  textAt,
} from './support.ts'

// One gateway for all; each part leaves behind what the next one builds on.

test('operators and their keys, from the first one to one who is disabled', async (t) => {
  const environment = await startGateway(t)
  const folder = temporaryFolder(t)
  const file = join(folder, 'bob.key')
  const whoami = ['operators', 'whoami', '--operator-key-file', file]

  await t.test('an operator is made once; the key is printed alone on standard output', async () => {
    const made = await run(
      ['operators', 'create', 'bob', '--name', 'Bob B.', '--role', 'support', '--role', 'AUDITOR'],
      environment,
    )
    assert.match(made.stdout, /^tgop_[A-Za-z0-9_-]{43}\n$/)
    assert.match(made.stderr, /^This is key_\w{10} of bob \(AUDITOR, SUPPORT\)\. It is not shown again/)
    writeFileSync(file, made.stdout, { mode: 0o600 })
    await Promise.all([
      expectFailure(['operators', 'create', 'bob', '--role', 'AUDITOR'], environment, {
        exitCode: 5,
        says: /^The operator code bob is taken/,
      }),
      expectRefusal(['operators', 'create', 'Bob!', '--role', 'AUDITOR'], environment, {
        exitCode: 2,
        says: /2 to 64 lower-case/,
      }),
      expectRefusal(['operators', 'create', 'carl'], environment, {
        exitCode: 2,
        says: /--role .*is missing/,
      }),
      expectRefusal(['operators', 'create', 'carl', '--role', 'KING'], environment, {
        exitCode: 2,
        says: /^A role must be one of AUDITOR, .*"KING"/,
      }),
      expectRefusal(['operators', 'create', 'carl', '--role', 'ADMIN', '--role', 'APPROVER'], environment, {
        exitCode: 2,
        says: /different people/,
      }),
      expectRefusal(['operators', 'show', 'nobody'], environment, {
        exitCode: 4,
        says: /There is no operator nobody/,
      }),
    ])
  })

  await t.test('the list and the detail show roles and keys, never a key or its hash', async () => {
    const list = await run(['operators', 'list'], environment)
    assert.match(list.stdout, /^bob +Bob B\. +ACTIVE +AUDITOR SUPPORT +1$/m)
    assert.match(list.stdout, /^ada +Ada \(sandbox\) +ACTIVE +SUPPORT FINANCE APPROVER +1$/m)
    const shown = await run(['operators', 'show', 'bob', '--json'], environment)
    assert.doesNotMatch(shown.stdout, /tgop_|hash/i)
    assert.deepEqual(at(JSON.parse(shown.stdout), 'roles'), ['AUDITOR', 'SUPPORT'])
  })

  await t.test(
    'a command knows who types by the key, from the option, the setting or standard input',
    async () => {
      const key = readFileSync(file, 'utf8')
      const [byOption, bySetting, byInput] = await Promise.all([
        runJson(whoami, environment),
        runJson(['operators', 'whoami'], { ...environment, TOLLGATE_OPERATOR_KEY_FILE: file }),
        runJson(['operators', 'whoami', '--operator-key-file', '-'], environment, key),
      ])
      assert.equal(textAt(byOption, 'operatorCode'), 'bob')
      assert.deepEqual([bySetting, byInput], [byOption, byOption])
      await Promise.all([
        expectRefusal(['operators', 'whoami'], environment, { exitCode: 3, says: /--operator-key-file/ }),
        expectRefusal([...whoami.slice(0, 3), join(folder, 'none')], environment, {
          exitCode: 2,
          says: /does not exist/,
        }),
        expectFailure(['operators', 'whoami', '--operator-key-file', '-'], environment, {
          exitCode: 3,
          says: /^The operator API answers 401: /,
          input: `tgop_${'A'.repeat(43)}`,
        }),
      ])
    },
  )

  await t.test('a second key replaces the first one without a gap', async () => {
    const added = await runJson(['operators', 'add-key', 'bob', '--days', '30'], environment)
    assert.match(textAt(added, 'key'), /^tgop_/)
    await expectRefusal(['operators', 'add-key', 'bob'], environment, {
      exitCode: 5,
      says: /has 2 active keys/,
    })
    await expectRefusal(['operators', 'add-key', 'bob', '--days', '0'], environment, {
      exitCode: 2,
      says: /--days must be a whole number from 1/,
    })
    const shown = await runJson(['operators', 'show', 'bob'], environment)
    await runJson(['operators', 'remove-key', 'bob', textAt(shown, 'keys', 0, 'keyId')], environment)
    await expectRefusal(whoami, environment, { exitCode: 3, says: /answers 401: / })
    writeFileSync(file, textAt(added, 'key'), { mode: 0o600 })
    assert.equal(textAt(await runJson(whoami, environment), 'operatorCode'), 'bob')
  })

  await t.test('roles are replaced as a whole; a disabled operator may do nothing', async () => {
    const changed = await runJson(['operators', 'set-roles', 'bob', 'catalogue', 'finance'], environment)
    assert.deepEqual(at(changed, 'roles'), ['FINANCE', 'CATALOGUE'])
    await runJson(['operators', 'disable', 'bob'], environment)
    await expectRefusal(whoami, environment, { exitCode: 3, says: /answers 401: / })
    const enabled = await runJson(['operators', 'enable', 'bob'], environment)
    assert.equal(textAt(enabled, 'status'), 'ACTIVE')
    // One ADMIN made the key: it does not carry FINANCE.
    assert.deepEqual(at(await runJson(whoami, environment), 'roles'), ['CATALOGUE'])
  })

  await t.test('a second ADMIN adds the half of a key that the first one does not know', async () => {
    const eve = join(folder, 'eve.key')
    writeFileSync(eve, (await run(['operators', 'create', 'eve', '--role', 'ADMIN'], environment)).stdout, {
      mode: 0o600,
    })
    const keyId = textAt(await runJson(['operators', 'show', 'bob'], environment), 'keys', 0, 'keyId')
    await expectRefusal(['operators', 'second-key', 'bob', keyId], environment, {
      exitCode: 5,
      says: /you made the key, so another ADMIN adds it/,
    })
    const second = ['operators', 'second-key', 'bob', keyId, '--operator-key-file', eve]
    const half = textAt(await runJson(second, environment), 'secondHalf')
    writeFileSync(file, `${readFileSync(file, 'utf8')}.${half}`, { mode: 0o600 })
    assert.deepEqual(at(await runJson(whoami, environment), 'roles'), ['FINANCE', 'CATALOGUE'])
  })

  await t.test('an operator is disabled at the database where nobody can ask the API', async () => {
    const alone = {
      ...environment,
      TOLLGATE_OPERATOR_PORT: '1',
      TOLLGATE_OPERATOR_KEY_FILE: join(folder, 'gone'),
    }
    await expectRefusal(['operators', 'disable', 'bob'], alone, { exitCode: 2, says: /does not exist/ })
    const disabled = await run(['operators', 'disable', 'bob', '--local'], alone)
    assert.match(disabled.stdout, /^Operator +bob\n(?:.*\n)*Status +DISABLED$/m)
    await expectRefusal(whoami, environment, { exitCode: 3, says: /answers 401: / })
    const again = await runJson(['operators', 'disable', 'bob', '--local'], alone)
    assert.deepEqual(again, await runJson(['operators', 'disable', 'bob'], environment))
    await expectRefusal(['operators', 'disable', 'nobody', '--local'], alone, {
      exitCode: 4,
      says: /There is no operator nobody/,
    })
  })

  await t.test('under another master key nobody is made, and the reason is said', async () => {
    const other = temporaryFolder(t)
    writeFileSync(join(other, 'master.key'), Buffer.alloc(32, 7).toString('base64'), { mode: 0o600 })
    const wrong = { ...environment, TOLLGATE_DATA_DIR: other }
    await expectRefusal(['operators', 'create', 'dora', '--role', 'AUDITOR'], wrong, {
      exitCode: 2,
      says: /is not the one this database was used with/,
    })
  })

  await t.test('who asks is noted, and nobody changes their own operator account', async () => {
    const asked = await runSql(
      textAt(environment, 'TOLLGATE_DATABASE_URL'),
      `select operator_code from operator_requests where operation = 'setOperatorRoles'`,
    )
    assert.deepEqual(asked, [{ operator_code: 'alan' }])
    await expectRefusal(['operators', 'set-roles', 'alan', 'ADMIN', 'FINANCE'], environment, {
      exitCode: 3,
      says: /answers 403: This is your own account/,
    })
    await expectRefusal(['operators', 'disable', 'alan'], environment, {
      exitCode: 3,
      says: /answers 403: This is your own account/,
    })
  })
})

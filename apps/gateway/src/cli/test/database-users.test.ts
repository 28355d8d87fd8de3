import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { runSql, type TestLife, testDatabase } from '@tollgate/testkit'
import { examinePrivileges } from '../doctor/database.ts'
import { expectFailure, run, runJson, temporaryFolder } from './support.ts'

interface TwoUsers {
  readonly owner: string
  readonly gateway: string
}

/**
 * An empty database of its own, the user who owns it, and the user of the gateway, as docs/operations.md says. The users end
 * with the server.
 */
async function twoUsers(t: TestLife): Promise<TwoUsers> {
  const { url } = await testDatabase(t)
  const suffix = randomBytes(6).toString('hex')
  const [owner, gateway] = [`owner_${suffix}`, `gateway_${suffix}`]
  const name = new URL(url).pathname.slice(1)
  await runSql(
    url,
    `drop schema public cascade; create role ${owner} login password 'o'; create role ${gateway} login password 'g';
    alter database ${name} owner to ${owner}; create schema public authorization ${owner}`,
  )
  const as = (username: string, password: string): string =>
    Object.assign(new URL(url), { username, password }).href
  return { owner: as(owner, 'o'), gateway: as(gateway, 'g') }
}

test('one user owns a PostgreSQL of your own, and the gateway uses it: migrate grants what it needs', async (t) => {
  const { owner, gateway } = await twoUsers(t)
  const environment = { TOLLGATE_DATA_DIR: temporaryFolder(t), TOLLGATE_DATABASE_URL: gateway }
  await expectFailure(['migrate'], environment, {
    exitCode: 2,
    says: /database user gateway_\w+ may not change it\. Run `tollgate migrate` with TOLLGATE_MIGRATE_DATABASE_URL/,
  })
  const both = { ...environment, TOLLGATE_MIGRATE_DATABASE_URL: owner }
  assert.match((await run(['migrate'], both)).stdout, /^ran 0001_/)
  assert.match((await run(['migrate'], environment)).stdout, /up to date already/)

  const keyed = { ...environment, ...masterKey(t) }
  await runJson(['operators', 'create', 'first', '--role', 'ADMIN'], keyed)
  for (const statement of [
    'alter table ledger_postings disable trigger all',
    'update ledger_postings set amount = 1',
    'delete from payout_approvals',
    'drop table ledger_journal',
  ])
    await assert.rejects(runSql(gateway, statement), /permission denied|must be owner/, statement)

  assert.match(await userFinding(both), /^ok .*gateway_\w+ may add to the ledger, but not change it/)
  const asOwner = { ...environment, TOLLGATE_DATABASE_URL: owner }
  assert.match(await userFinding(asOwner), /^warn .*owner_\w+, who owns the tables: .* disable the triggers/)
  await runSql(owner, `grant update on ledger_postings to ${new URL(gateway).username}`)
  assert.match(await userFinding(both), /^warn .*may change or delete rows of the ledger/)
})

/** The line of doctor about the user. */
async function userFinding(environment: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await run(['doctor'], environment)
  return stdout.split('\n').find((line) => line.includes('database user')) ?? ''
}

function masterKey(t: TestLife): Readonly<Record<string, string>> {
  const file = `${temporaryFolder(t)}/master.key`
  writeFileSync(file, randomBytes(32).toString('base64'), { mode: 0o600 })
  return { TOLLGATE_MASTER_KEY_FILE: file }
}

test('doctor says what a superuser at the gateway can do', () => {
  const user = { name: 'postgres', isSuperuser: true, isOwner: true, mayChangeBooks: true }
  const finding = examinePrivileges({ user })
  assert.equal(finding.status, 'WARN')
  assert.match(finding.message, /postgres, a superuser: .* run programs on the database server/)
  assert.match(finding.fix ?? '', /"Two database users" in docs\/operations\.md/)
})

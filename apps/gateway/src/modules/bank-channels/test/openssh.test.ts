import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { freePort, type TestLife, waitUntil } from '@tollgate/testkit'
import { ChannelFault } from '../errors.ts'
import type { ChannelSource } from '../model.ts'
import { createSftpDriver } from '../sftp.ts'
import { asked } from './bank.ts'

// The same conversation with OpenSSH's server, which most banks run.

const SSHD = '/usr/sbin/sshd'
const skip = existsSync(SSHD)
  ? false
  : `there is no ${SSHD} on this machine (Debian: apt-get install openssh-server)`
const TIMEOUT_MS = 20_000

async function startSshd(t: TestLife) {
  const folder = mkdtempSync(join(tmpdir(), 'sshd-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = (name: string): string => join(folder, name)
  for (const name of ['in', 'out', 'done']) mkdirSync(file(name))
  for (const name of ['host', 'client'])
    execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)])
  writeFileSync(file('authorized'), readFileSync(file('client.pub')))
  const port = await freePort()
  const settings = [
    `Port ${port}`,
    'ListenAddress 127.0.0.1',
    `HostKey ${file('host')}`,
    `AuthorizedKeysFile ${file('authorized')}`,
    'StrictModes no',
    'UsePAM no',
    'PermitRootLogin yes',
    'Subsystem sftp internal-sftp',
    'PidFile none',
  ]
  writeFileSync(file('config'), `${settings.join('\n')}\n`)
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true })
  const server = spawn(SSHD, ['-D', '-e', '-f', file('config')], { stdio: ['ignore', 'ignore', 'pipe'] })
  t.after(() => void server.kill())
  let said = ''
  server.stderr.on('data', (text: Buffer) => {
    said += text.toString()
  })
  await waitUntil(() => said.includes('Server listening'), {
    timeoutMs: TIMEOUT_MS,
    what: `sshd to listen: ${said}`,
  })
  const [, hostKey = ''] = execFileSync('ssh-keygen', ['-lf', file('host.pub')], { encoding: 'utf8' }).split(
    ' ',
  )
  const access = {
    host: '127.0.0.1',
    port,
    user: userInfo().username,
    hostKey,
    keyFile: file('client'),
    passphraseFile: undefined,
    target: { directory: file('in'), stagingDirectory: undefined },
  }
  return { file, access }
}

test('files are fetched from and put to OpenSSH, and a rename never goes over another file', {
  skip,
}, async (t) => {
  const { file, access } = await startSshd(t)
  const link = await createSftpDriver(access).open(new AbortController().signal)
  const source: ChannelSource = {
    directory: file('out'),
    holds: 'STATEMENTS',
    names: '*.xml',
    marker: undefined,
    afterwards: { kind: 'ARCHIVE', directory: file('done') },
  }
  const text = 'statement '.repeat(50_000)
  writeFileSync(file('out/day.xml'), text)
  assert.deepEqual(await link.offers(source), { files: [], hasUnfinished: true })
  const [day] = (await link.offers(source)).files
  assert.ok(day)
  assert.equal((await link.read(day)).toString(), text)
  await link.clear(source, day)
  assert.deepEqual([readdirSync(file('out')), readdirSync(file('done'))], [[], ['day.xml']])

  const put = { name: 'TG1.xml', attempt: 1, bytes: Buffer.from('<pain/>'.repeat(30_000)) }
  await link.stage(put)
  assert.deepEqual(await link.ask(asked(put)), { kind: 'STAGED' })
  await link.release(put)
  assert.deepEqual(await link.ask(asked(put)), { kind: 'RELEASED' })
  assert.deepEqual(readFileSync(file('in/TG1.xml')), put.bytes)
  const other = { ...put, attempt: 2, bytes: Buffer.from('other') }
  await link.stage(other)
  await assert.rejects(
    link.release(other),
    (error) => error instanceof ChannelFault && error.kind === 'REFUSED',
  )
  assert.deepEqual(readFileSync(file('in/TG1.xml')), put.bytes)
  await link.close()

  const wrong = { ...access, hostKey: `SHA256:${'A'.repeat(43)}` }
  await assert.rejects(
    createSftpDriver(wrong).open(new AbortController().signal),
    (error) =>
      error instanceof ChannelFault && error.kind === 'HOST_KEY' && error.message.includes(access.hostKey),
  )
})

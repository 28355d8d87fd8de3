import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { freePort, testDatabase, waitUntil } from '@tollgate/testkit'
import { at } from './support/json.ts'

// The steps of deploy/container/Containerfile by hand: there is no container engine here. The same files in an empty folder, the
// same commands, and then another user who may write nothing there.

const run = promisify(execFile)
const ROOT = resolve(import.meta.dirname, '..')
const CONTAINERFILE = readFileSync(join(ROOT, 'deploy/container/Containerfile'), 'utf8')
const INSTALL_TIMEOUT_MS = 300_000
const START_TIMEOUT_MS = 60_000
/** The user `nobody` of every system. */
const OTHER_USER = '65534'
const isRoot = process.getuid?.() === 0

const image = mkdtempSync(join(tmpdir(), 'tollgate-image-'))
const secrets = mkdtempSync(join(tmpdir(), 'tollgate-secrets-'))
after(() => {
  for (const folder of [image, secrets]) rmSync(folder, { recursive: true, force: true })
})

before(async () => {
  if (!isRoot) return
  for (const [, what = ''] of CONTAINERFILE.matchAll(/^COPY (?!--from)(.+)$/gm)) {
    const paths = what.split(' ')
    const to = paths.pop() ?? '.'
    for (const path of paths) copy(path, to)
  }
  const [, install = ''] = /^RUN (.+)$/m.exec(CONTAINERFILE) ?? []
  await run('sh', ['-c', install], { cwd: image, timeout: INSTALL_TIMEOUT_MS })
  chmodSync(image, 0o755)
})

/** As a builder copies: into a folder that ends with a slash, or to that very name. Links of workspaces are not brought. */
function copy(path: string, to: string): void {
  const target = to.endsWith('/') ? join(image, to, path.split('/').at(-1) ?? '') : join(image, to)
  mkdirSync(resolve(target, '..'), { recursive: true })
  cpSync(join(ROOT, path), target, {
    recursive: true,
    filter: (source) => !/\/(?:node_modules|dist|\.tollgate)(?:\/|$)/.test(source.slice(ROOT.length)),
  })
}

const asOther = (...parts: readonly string[]): readonly string[] => [
  '--reuid',
  OTHER_USER,
  '--regid',
  OTHER_USER,
  '--clear-groups',
  process.execPath,
  'apps/gateway/bin/tollgate.mjs',
  ...parts,
]

test('the image migrates and serves as a user who may write nothing in it', async (t) => {
  if (!isRoot) return t.skip('only root can become another user')
  const { url } = await testDatabase({ after })
  const [port, operatorPort] = [await freePort(), await freePort()]
  const [databaseFile, keyFile] = [join(secrets, 'database-url'), join(secrets, 'master-key')]
  writeFileSync(databaseFile, url)
  writeFileSync(keyFile, Buffer.alloc(32, 7).toString('base64'))
  await run('chown', ['-R', `${OTHER_USER}:${OTHER_USER}`, secrets])
  await run('chmod', ['-R', 'go-rwx', secrets])
  const env = {
    PATH: process.env['PATH'] ?? '',
    TOLLGATE_ENVIRONMENT: 'live',
    TOLLGATE_PUBLIC_API_URL: 'https://pay.example',
    TOLLGATE_PUBLIC_CHECKOUT_URL: 'https://checkout.pay.example',
    TOLLGATE_DATABASE_URL_FILE: databaseFile,
    TOLLGATE_MASTER_KEY_FILE: keyFile,
    TOLLGATE_API_PORT: String(port),
    TOLLGATE_OPERATOR_PORT: String(operatorPort),
    TOLLGATE_METRICS_PORT: String(await freePort()),
  }
  await run('setpriv', [...asOther('migrate')], { cwd: image, env })
  const server = spawn('setpriv', [...asOther('serve')], { cwd: image, env, stdio: 'ignore' })
  const ended = once(server, 'exit')
  t.after(() => server.kill('SIGKILL'))
  const isReady = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitUntil(isReady, { timeoutMs: START_TIMEOUT_MS, what: 'the image to be ready' })
  const told: unknown = await (await fetch(`http://127.0.0.1:${port}/`)).json()
  assert.deepEqual([at(told, 'name'), at(told, 'mode')], ['Tollgate', 'LIVE'])
  server.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { at } from '@tollgate/testkit'
import { parse } from 'yaml'

// deploy/: units, proxies and images say what the programs that read them understand, and name settings that there are.

const ROOT = resolve(import.meta.dirname, '../..')
const DEPLOY = join(ROOT, 'deploy')
const run = promisify(execFile)
const read = (path: string): string => readFileSync(join(DEPLOY, path), 'utf8')

function has(program: string, flag: string): boolean {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** A folder with a certificate, and files of ours whose paths lead there. */
async function tryOut(t: TestContext, path: string): Promise<{ folder: string; file: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-deploy-'))
  t.after(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'tls'))
  const [key, certificate] = [join(folder, 'tls/privkey.pem'), join(folder, 'tls/fullchain.pem')]
  const subject = ['-subj', '/CN=pay.example', '-days', '2', '-nodes', '-newkey', 'rsa:2048']
  await run('openssl', ['req', '-x509', ...subject, '-keyout', key, '-out', certificate])
  writeFileSync(join(folder, 'tls/pem'), readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'))
  const file = join(folder, 'tried')
  const text = read(path)
    .replaceAll('/etc/tollgate/tls', join(folder, 'tls'))
    .replaceAll('/var/log/nginx', folder)
    .replaceAll('/etc/tollgate/cells.map', join(folder, 'cells.map'))
  writeFileSync(join(folder, 'cells.map'), 'SHOP42 B\n')
  writeFileSync(file, text)
  return { folder, file }
}

test('nginx takes its sample', async (t) => {
  if (!has('nginx', '-v')) return t.skip('no nginx here: apt-get install nginx-light')
  const { folder, file } = await tryOut(t, 'proxies/nginx.conf')
  const main = join(folder, 'nginx.conf')
  writeFileSync(main, `pid ${folder}/pid; events {} http { access_log off; include ${file}; }\n`)
  await run('nginx', ['-t', '-c', main, '-p', folder, '-e', join(folder, 'error.log')])
})

for (const path of ['proxies/haproxy.cfg', 'database/haproxy.cfg', 'cells/haproxy.cfg'])
  test(`HAProxy takes ${path}`, async (t) => {
    if (!has('haproxy', '-v')) return t.skip('no haproxy here: apt-get install haproxy')
    const { file } = await tryOut(t, path)
    await run('haproxy', ['-c', '-f', file])
  })

test('Patroni is to commit on two disks, and to promote nobody in time for a slow answer', () => {
  const sample: unknown = parse(read('database/patroni.yml'))
  const rule = (name: string): unknown => at(sample, 'bootstrap', 'dcs', name)
  assert.deepEqual([rule('synchronous_mode'), rule('synchronous_mode_strict')], [true, true])
  // Patroni's own rule: otherwise a leader that is well may lose its lock.
  assert.ok(Number(rule('ttl')) >= Number(rule('loop_wait')) + 2 * Number(rule('retry_timeout')))
})

test('Caddy takes its sample', async (t) => {
  if (!has('caddy', 'version')) return t.skip('no caddy here: apt-get install caddy')
  const { folder } = await tryOut(t, 'proxies/Caddyfile')
  const config = join(DEPLOY, 'proxies/Caddyfile')
  await run('caddy', ['validate', '--adapter', 'caddyfile', '--config', config], {
    env: { PATH: process.env['PATH'] ?? '', HOME: folder },
  })
})

test('systemd takes the units, and what they may do is little', async (t) => {
  if (!has('systemd-analyze', '--version')) return t.skip('no systemd-analyze here')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-units-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const units = readdirSync(join(DEPLOY, 'systemd')).filter((name) => name.endsWith('.service'))
  assert.equal(units.length, 5)
  for (const name of units) {
    const text = read(`systemd/${name}`)
      .replaceAll('/opt/tollgate', ROOT)
      .replace('/usr/bin/node', process.execPath)
    writeFileSync(join(folder, name), text)
  }
  await run('systemd-analyze', ['verify', '--man=no', ...units.map((name) => join(folder, name))])
  for (const name of units) {
    const { stdout } = await run('systemd-analyze', ['security', '--offline=true', join(folder, name)])
    const [, exposure = '10'] = /Overall exposure level for [^:]+: ([\d.]+)/.exec(stdout) ?? []
    assert.ok(Number(exposure) <= 2, `${name}: ${exposure}`)
  }
})

test('every setting that a file of deploy/ gives is one', () => {
  const known = new Set(
    [
      ...readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8').matchAll(/^\| `(TOLLGATE_\w+)`/gm),
      ...readFileSync(join(ROOT, 'apps/checkout/src/config.ts'), 'utf8').matchAll(/'(CHECKOUT_\w+)'/g),
      ...readFileSync(join(ROOT, 'apps/console/src/config.ts'), 'utf8').matchAll(/'(CONSOLE_\w+)'/g),
    ].map(([, name = '']) => name),
  )
  const files = readdirSync(DEPLOY, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(?:env|service|yaml)$|file$/.test(name),
  )
  const given = files.flatMap((name) => read(name).match(/\b(?:TOLLGATE|CHECKOUT|CONSOLE)_[A-Z_]+/g) ?? [])
  assert.ok(given.length > 20)
  assert.deepEqual(
    given.filter((name) => !known.has(name) && !known.has(name.replace(/_FILE$/, ''))),
    [],
  )
})

import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createMetrics as createConsoleMetrics } from '../../apps/console/src/metrics.ts'
import { createMetrics } from '../../apps/gateway/src/platform/metrics.ts'

// deploy/monitoring/: rules and dashboard ask for what there is, and every alarm leads to what to do.

const ROOT = resolve(import.meta.dirname, '../..')
const FOLDER = join(ROOT, 'deploy/monitoring')
const RULES = readFileSync(join(FOLDER, 'alerts.yaml'), 'utf8')
const OPERATIONS = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
/** Of the processes of `serve --workers`, counted by the one that starts them. */
const PROCESSES = ['tollgate_api_processes', 'tollgate_api_process_ends_total']
/** Of the payment page: its server adds it to the others. */
const CHECKOUT = ['tollgate_checkout_gateway_up']

const exprsOfRules = [...RULES.matchAll(/^ +expr: (.+)$/gm)].map(([, expr = '']) => expr)
const exprsOfDashboard = [
  ...readFileSync(join(FOLDER, 'dashboard.json'), 'utf8').matchAll(/"expr": (".+"),?$/gm),
].map(([, text = '']) => String(JSON.parse(text)))

test('alerts and dashboard ask for metrics that there are', () => {
  const known = new Set([
    ...[createMetrics(), createConsoleMetrics()].flatMap(({ registry }) =>
      registry.getMetricsAsArray().map(({ name }) => name),
    ),
    ...PROCESSES,
    ...CHECKOUT,
  ])
  const asked = [...exprsOfRules, ...exprsOfDashboard].flatMap(
    (expr) => expr.match(/\b(?:tollgate|http_server|process|nodejs)_\w+/g) ?? [],
  )
  assert.ok(asked.length > 20)
  const unknown = asked
    .map((name) => name.replace(/_(?:bucket|count|sum)$/, ''))
    .filter((name) => !known.has(name))
  assert.deepEqual(unknown, [])
})

const anchorsOf = (text: string): readonly string[] =>
  [...text.matchAll(/^##+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replaceAll(' ', '-'),
  )

test('every alert names the section that says what to do, and every expression of that page is a rule', () => {
  const runbooks = [...RULES.matchAll(/^ +runbook: (\S+)$/gm)].map(([, path = '']) => path)
  assert.equal(runbooks.length, exprsOfRules.length)
  for (const path of runbooks) {
    const [file = '', anchor] = path.split('#')
    const text = readFileSync(join(ROOT, file), 'utf8')
    assert.ok(text.length > 0)
    if (anchor !== undefined) assert.ok(anchorsOf(text).includes(anchor), path)
  }
  const [, page = ''] = OPERATIONS.split('## At three in the morning')
  const told = [...page.matchAll(/`([^`]+)`/g)]
    .map(([, code = '']) => code)
    .filter((code) => / > [\d.]+$|^absent\(up/.test(code))
  assert.ok(told.length >= 9)
  assert.deepEqual(
    told.filter((expr) => !exprsOfRules.includes(expr)),
    [],
  )
})

const hasPromtool = (): boolean => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test('promtool takes the rules and the expressions of the dashboard, and sees each alert fire', async (t) => {
  if (!hasPromtool()) return t.skip('no promtool here: apt-get install prometheus')
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-monitoring-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'dashboard.yaml')
  const records = exprsOfDashboard.map((expr, at) => ({
    record: `panel_${at}`,
    expr: expr.replaceAll('$__rate_interval', '5m'),
  }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: records }] }))
  const run = promisify(execFile)
  await run('promtool', ['check', 'rules', join(FOLDER, 'alerts.yaml'), file])
  await run('promtool', ['test', 'rules', join(FOLDER, 'alerts.test.yaml')])
})

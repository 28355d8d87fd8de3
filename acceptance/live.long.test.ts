import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { emptyDatabase, freePort, waitUntil } from '@tollgate/testkit'
import { testBrowser, type WatchedPage } from '@tollgate/testkit/browser'
import { camtStatement } from './support/camt.ts'
import { CLI, temporaryFolder } from './support/gateway.ts'
import { type Part, readGuide, type Step } from './support/guide.ts'
import { type Program, startProgram } from './support/process.ts'
import { newCertificate, proxyWithTls } from './support/tls.ts'

// From an empty live database to the first paid bank transfer: every command and every step of the guide, word for word.

const ROOT = resolve(import.meta.dirname, '..')
const START_TIMEOUT_MS = 60_000
const TIMEOUT_MS = 60_000
/** The server of the tests writes without fsync, and has one user. */
const OF_THE_TEST_SERVER = ['durability', 'database user']
const PAYER = { payerName: 'Jana Novak', payerIban: 'FR1420041010050500013M02606' } as const

const parts = readGuide('guides/live.md')
const folder = temporaryFolder()
const file = (name: string): string => join(folder, name)
const browser = await testBrowser({ after })

// The places of the installation. The shop has an address of its own: live calls back at usual ports alone.
const shopHost = `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(2, 255)}`
const certificate = await newCertificate(folder, ['DNS:localhost', `IP:${shopHost}`])
const NAMES = ['API', 'CHECKOUT', 'CONSOLE', 'OPERATOR', 'METRICS', 'WORKER', 'SHOP'] as const
type Name = (typeof NAMES)[number]
const ports = new Map<Name, number>()
for (const name of NAMES) ports.set(name, await freePort())
const portOf = (name: Name): number => ports.get(name) ?? 0
const inFront = async (name: Name, at = { host: '127.0.0.1', port: 0 }): Promise<number> =>
  proxyWithTls({ after }, certificate, { at, to: { host: '127.0.0.1', port: portOf(name) } })

/** What stands in the guide and is another one here: names, ports and the database. */
const replaced: readonly (readonly [string, string])[] = [
  ['postgres://tollgate:…@db.internal/tollgate', (await emptyDatabase({ after })).url],
  ['https://checkout.pay.example', `https://localhost:${await inFront('CHECKOUT')}`],
  ['https://console.pay.example', `https://localhost:${await inFront('CONSOLE')}`],
  ['https://pay.example', `https://localhost:${await inFront('API')}`],
  ['https://shop.example', `https://${shopHost}:${await inFront('SHOP', { host: shopHost, port: 8443 })}`],
  ['9465', String(portOf('WORKER'))],
  ['9000', String(portOf('SHOP'))],
]
const asHere = (text: string): string =>
  replaced.reduce((whole, [told, here]) => whole.replaceAll(told, here), text)

/** The environment of the terminal: what the commands before have set, and what this machine needs. */
let environment: Record<string, string> = {
  PATH: process.env['PATH'] ?? '',
  ...Object.fromEntries(
    (['API', 'CHECKOUT', 'CONSOLE', 'OPERATOR', 'METRICS'] as const).map((name) => [
      `TOLLGATE_${name}_PORT`,
      String(portOf(name)),
    ]),
  ),
  TOLLGATE_CALLBACK_ALLOW_CIDR: '127.0.0.0/8',
  NODE_EXTRA_CA_CERTS: certificate.file,
}

const NPX = `npx() { shift; "${process.execPath}" "${join(ROOT, CLI)}" "$@"; }`

/** Runs a block as it stands, in a terminal that stays open. */
async function type(block: string): Promise<string> {
  const script = [NPX, asHere(block), `env -0 > "${file('environment')}"`].join('\n')
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    env: environment,
  })
  const lines = readFileSync(file('environment'), 'utf8').split('\0')
  environment = Object.fromEntries(
    lines
      .filter((line) => line !== '')
      .map((line) => [line.split('=', 1)[0] ?? '', line.replace(/^[^=]+=/s, '')]),
  )
  return stdout
}

const programs: Program[] = []
after(async () => {
  for (const program of programs) program.kill('SIGTERM')
  for (const program of programs) await program.end
})

/** A program in a terminal of its own, until it says that it is ready. */
async function start(line: string): Promise<void> {
  const [, set = '', command = ''] =
    /^((?:\w+=\S+ )*)npx tollgate (\w+)$/.exec(asHere(line)) ?? assert.fail(line)
  const own = [...set.matchAll(/(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value])
  const program = startProgram([CLI, command], { ...environment, ...Object.fromEntries(own) })
  programs.push(program)
  const isReady = (): boolean =>
    /is open|is ready|ready/.test(program.stderr()) || program.ended() !== undefined
  await waitUntil(isReady, { timeoutMs: START_TIMEOUT_MS, what: line })
  assert.equal(program.ended(), undefined, program.stderr())
}

type Page = WatchedPage['page']

/** A person with a device of their own, on which passkeys are. */
async function person(): Promise<WatchedPage> {
  const watched = await browser.open({ width: 1440, anyCertificate: true })
  const cdp = await watched.page.context().newCDPSession(watched.page)
  await cdp.send('WebAuthn.enable')
  await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return watched
}

let done = 0

async function follow(page: Page, { steps, title }: Part, address?: string): Promise<void> {
  for (const step of steps) {
    await take(page, step, address).catch(async (error: unknown) => {
      const shown = ((await page.locator('body').textContent()) ?? '').slice(0, 2_000)
      throw new Error(`${title}: ${step.verb} ${step.name}: ${String(error)}\nat ${page.url()}:\n${shown}`)
    })
    done += 1
  }
}

async function take(page: Page, { verb, name, value }: Step, address?: string): Promise<void> {
  switch (verb) {
    case 'Open':
      await page.goto(address ?? assert.fail(`no address for ${name}`))
      return
    case 'Press':
      await pressed(page, name)
      return
    case 'Type':
      await field(page, name).fill(asHere(value))
      return
    case 'Paste':
      await field(page, name).fill(readFileSync(file(value), 'utf8'))
      return
    case 'Choose':
      await field(page, name).setInputFiles(file(value))
      return
    case 'Tick':
      await page.getByRole('checkbox', { name }).check()
      return
    case 'Check':
      await page.getByText(name).filter({ visible: true }).first().waitFor()
  }
}

/** What a label names, word for word; a hint may stand behind it. */
const field = (page: Page, name: string) =>
  page
    .locator('label', { has: page.getByText(name, { exact: true }) })
    .locator('input, textarea')
    .filter({ visible: true })
    .first()

const beginning = (name: string): RegExp =>
  new RegExp(String.raw`^\s*${name.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`)}(?![a-z])`)

/** A button, a link, or what opens a part of the screen; its name is the guide's, or begins with it. */
async function pressed(page: Page, name: string): Promise<void> {
  const begins = beginning(name)
  await page
    .getByRole('button', { name: begins })
    .or(page.getByRole('link', { name: begins }))
    .or(page.locator('summary').filter({ hasText: begins }))
    .filter({ visible: true })
    .first()
    .click()
}

const partNamed = (number: number): Part =>
  parts[number - 1] ?? assert.fail(`the guide has no part ${number}`)
const said = (program: Program, text: RegExp): Promise<void> =>
  waitUntil(() => text.test(program.stdout()) || program.ended() !== undefined, {
    timeoutMs: TIMEOUT_MS,
    what: `${String(text)} from the shop, which said: ${program.stdout()}${program.stderr()}`,
  })

/** What the shop has answered is noted a moment later. */
const isCalledBack = async (): Promise<boolean> =>
  (await type('npx tollgate callbacks list --state DELIVERED --operator-key-file ada.key')).includes('ORD-1')

/** The commands at the end of the guide find nothing but what is the test's own. */
async function checkAll(): Promise<void> {
  const [checks = ''] = partNamed(8).commands
  const [doctor = '', ledger = '', ...more] = checks.trim().split('\n')
  assert.deepEqual(more, [])
  let answer = ''
  const isAnswered = async (): Promise<boolean> => {
    answer = await type(`${doctor} || true`)
    return !answer.includes('did not answer in time')
  }
  // On a busy machine the database may take longer for a moment than the gateway waits for it when it is asked how it is.
  await waitUntil(isAnswered, { timeoutMs: TIMEOUT_MS, what: 'the gateway to be ready' })
  const troubles = answer.split('\n').filter((line) => /^(FAIL|warn)/.test(line))
  assert.deepEqual(
    troubles.map((line) => line.replace(/^\w+ +/, '').split(/ {2,}/)[0]),
    OF_THE_TEST_SERVER,
    troubles.join('\n'),
  )
  assert.match(await type(ledger), /The books agree/)
}

test('from an empty live database to a paid bank transfer by the guide, word for word', async (t) => {
  const startedAt = Date.now()
  const [settings = '', servers = ''] = partNamed(1).commands
  await type(settings)
  for (const line of servers.trim().split('\n')) await start(line)

  const [invite = ''] = partNamed(2).commands
  const links = (await type(invite)).match(/https:\S+\/invitation#\S+/g) ?? []
  const [ada, bea] = [await person(), await person()]
  await follow(ada.page, partNamed(2), links[0])
  await follow(bea.page, partNamed(2), links[1])

  await follow(ada.page, partNamed(3))
  const [keys = ''] = partNamed(4).commands
  await type(keys)
  await follow(ada.page, partNamed(4))

  const [program = ''] = partNamed(5).programs
  writeFileSync(file('shop.mjs'), asHere(program).replace("'shop.pem'", JSON.stringify(file('shop.pem'))))
  symlinkSync(join(ROOT, 'node_modules'), file('node_modules'))
  const shop = startProgram([file('shop.mjs')], environment)
  programs.push(shop)
  await said(shop, /https:\S+/)
  const customer = await browser.open({ anyCertificate: true })
  await follow(customer.page, partNamed(5), /https:\S+/.exec(shop.stdout())?.[0])
  const reference = await customer.page.locator('[data-copy^="RF"]').first().getAttribute('data-copy')
  assert.ok(reference)
  writeFileSync(
    file('statement.xml'),
    camtStatement('DE89370400440532013000', [{ ...PAYER, amount: '149.90', reference }]),
  )

  await follow(ada.page, partNamed(6))
  assert.doesNotMatch(shop.stdout(), /ORD-1 is/, 'one person moves nothing')
  await follow(bea.page, partNamed(7))
  await said(shop, /^ORD-1 is SUCCESS$/m)
  await customer.page.getByRole('heading', { name: 'Payment complete' }).waitFor()

  await waitUntil(isCalledBack, { timeoutMs: TIMEOUT_MS, what: 'the callback to be noted' })
  await follow(ada.page, partNamed(8))
  await checkAll()

  t.diagnostic(`${done} steps at screens, ${Math.round((Date.now() - startedAt) / 1000)} s`)
  const watched = [ada, bea, customer].flatMap(({ complaints }) => complaints)
  assert.deepEqual(watched, [])
})

test('what the guide asks of two people is what it says: commands, fields and presses', () => {
  const page = readFileSync(join(ROOT, 'docs/guides/live.md'), 'utf8')
  const steps = parts.flatMap((part) => part.steps)
  const signIn = partNamed(2).steps
  const count = (verbs: readonly Step['verb'][]): number =>
    [...steps, ...signIn].filter(({ verb }) => verbs.includes(verb)).length
  const commands = parts
    .flatMap((part) => part.commands)
    .flatMap((block) => block.trim().split('\n'))
    .filter((line) => !line.startsWith('export '))
  const said = `${commands.length} commands, ${count(['Type', 'Paste', 'Choose', 'Tick'])} fields and ${count(['Press'])} presses`
  assert.ok(page.includes(said), said)
})

test('the guide is a page that others lead to', () => {
  for (const page of [
    'docs/guides/install.md',
    'docs/guides/go-live.md',
    'docs/guides/catalogue.md',
    'README.md',
  ])
    assert.ok(readFileSync(join(ROOT, page), 'utf8').includes(basename('guides/live.md')), page)
})

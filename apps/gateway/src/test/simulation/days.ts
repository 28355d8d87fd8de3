import { createRandom, pickWeighted, type Random } from '../../../../../lab/rig/random.ts'
import type { BankPayment } from './bank.ts'
import { type Client, createClient, KINDS, nameText, type Order } from './client.ts'
import { findLeft, findLost, findStorms, findUnheard, HEALING_MS } from './endings.ts'
import { findOvercharged, govern, openGovernance } from './governance.ts'
import { decideAboutMoney } from './officers.ts'
import { type Breach, findBreaches } from './properties.ts'
import { BEHAVIOURS } from './receivers.ts'
import { CURRENCIES, MERCHANTS, receiverHost } from './shop.ts'
import { type Answer, createWorld, PROCESSES, START_MS, type World } from './world.ts'

// The scheduled rig: a gateway lives through days of payments while anything may break at any call, and is then left in
// peace. The seed decides everything.

/** What a life came to. */
interface DaysReport {
  readonly days: number
  readonly payments: number
  readonly faults: number
  readonly crashes: number
  readonly breaches: readonly Breach[]
}

interface DaysOptions {
  readonly seed: number
  readonly days: number
}

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const ROUNDS_PER_MERCHANT_AND_DAY = 1.5
const TRIES_MAX = 60
const SEEDS = 2 ** 32
const DELIVERIES_MAX = 500

interface Scene {
  readonly world: World
  readonly client: Client
  readonly random: Random
  readonly endMs: number
  /** Messages of the institution so far. */
  notices: number
}

/** One gateway's life. */
export async function runDays({ seed, days }: DaysOptions): Promise<DaysReport> {
  const random = createRandom(seed)
  const endMs = START_MS + days * DAY_MS
  const world: World = createWorld({
    seed: random.below(SEEDS),
    isFaulty: (nowMs) => nowMs < endMs,
    onHandOver: (_, reference, payment) => live(scene, reference, payment),
  })
  const client = createClient(world)
  const governance = openGovernance({ world, client, random: random.fork(), endMs })
  const scene: Scene = { world, client, random, endMs, notices: 0 }
  for (const merchantId of MERCHANTS) void shop(scene, merchantId)
  void trouble(scene)
  void govern(governance)
  void decideAboutMoney(governance)
  await world.time.passUntil(endMs)
  for (const merchantId of MERCHANTS) world.receivers.behave(receiverHost(merchantId), 'OK')
  await world.time.passUntil(endMs + HEALING_MS)
  return {
    days,
    payments: world.disk.payments.size,
    faults: world.faults.count(),
    crashes: world.crashes(),
    breaches: [
      ...scene.client.breaches,
      ...findBreaches(world.disk),
      ...findLost(world, scene.client),
      ...findLeft(world),
      ...findUnheard(world),
      ...findStorms(world),
      ...findOvercharged(governance),
    ],
  }
}

/** Long enough for outcomes that stay unknown to go to people, which takes three. */
export const DAYS_PER_LIFE = 4

/** Lets one gateway after the other live, for so many days in all, and stops at the first that breaks something. */
export async function runLives(days: number, seed: number): Promise<DaysReport & { readonly lives: number }> {
  const seeds = createRandom(seed)
  const sum = { days: 0, payments: 0, faults: 0, crashes: 0, lives: 0 }
  let breaches: readonly Breach[] = []
  while (sum.days < days && breaches.length === 0) {
    const report = await runDays({ seed: seeds.below(SEEDS), days: Math.min(DAYS_PER_LIFE, days - sum.days) })
    for (const name of ['days', 'payments', 'faults', 'crashes'] as const) sum[name] += report[name]
    sum.lives += 1
    breaches = report.breaches
  }
  return { ...sum, breaches }
}

const pause = ({ world }: Scene, ms: number): Promise<void> =>
  new Promise((resolve) => void world.time.after(ms, resolve))

const isOpen = ({ world, endMs }: Scene): boolean => world.time.nowMs() < endMs

/** A merchant with something to do every now and then, who repeats what was not answered. */
async function shop(scene: Scene, merchantId: string): Promise<void> {
  const { random } = scene
  const gapMs = DAY_MS / ROUNDS_PER_MERCHANT_AND_DAY
  for (let no = 0; isOpen(scene); no += 1) {
    // Often several at once, so that they meet.
    const count = random.share() < 0.4 ? 3 : 1
    await pause(scene, random.between(0, 2 * gapMs))
    const orders = Array.from({ length: count }, (_, index) => orderOf(random, merchantId, `${no}-${index}`))
    await Promise.all(orders.map((order) => insist(scene, order)))
  }
}

function orderOf(random: Random, merchantId: string, id: string): Order {
  const kind = pickWeighted(random, KINDS, (each) => (each === 'PAYIN' ? 1 : 2))
  return {
    merchantId,
    kind,
    token: random.share() < 0.2 ? 'SPARE' : 'FULL',
    currencyCode: random.share() < 0.8 ? 'EUR' : random.pick(CURRENCIES),
    // Now and then somebody uses an id again.
    id: random.share() < 0.1 ? 'again' : id,
    amount: kind === 'PAYOUT' ? random.pick([1, 99, 100, 250]) : random.pick([7, 100, 1_001, 250]),
    methodCode: kind === 'PAYIN' && random.share() < 0.3 ? 'WALLET' : 'TRANSFER',
  }
}

/** Asks until there is an answer, and looks at what came of it. */
async function insist(scene: Scene, order: Order): Promise<void> {
  const { client, random } = scene
  let isDecided = false
  for (let tries = 0; tries < TRIES_MAX && !isDecided; tries += 1) {
    isDecided = await ask(scene, order)
    if (!isDecided) await pause(scene, random.between(500, 30_000))
  }
  if (!isDecided) client.breaches.push({ property: 'S2', what: `${nameText(order)} was never decided` })
  if (order.kind === 'PAYIN' && random.share() < 0.2)
    await client.setReference(order, `REF-${random.below(100)}`)
  await readBack(scene, order)
}

/** Once, or twice at the same time where the merchant is impatient; whether it was decided. */
async function ask({ client, random }: Scene, order: Order): Promise<boolean> {
  const first = client.create(order)
  const answers = await Promise.all(random.share() < 0.1 ? [first, client.create(order)] : [first])
  return answers.some(({ status }) => status === 201 || DECIDED.has(status))
}

/** Accepted, denied, refused or there before. */
const DECIDED: ReadonlySet<Answer['status']> = new Set([201, 401, 406, 409])

async function readBack({ client, world }: Scene, order: Order): Promise<void> {
  const isThere = (): boolean => world.disk.payments.get(nameText(order)) !== undefined
  const failovers = world.failovers()
  const wasThere = isThere()
  const { status } = await client.read(order, 'READER')
  // What is read may be taken away by a failover.
  if (failovers !== world.failovers() || world.isFailingOver()) return
  // Somebody else may use the id meanwhile: what was there before must be found, and what is found must be there after.
  if ((wasThere && status === 410) || (!isThere() && status === 200))
    client.breaches.push({ property: 'S2', what: `${nameText(order)} is read as ${status}` })
}

/** Processes die, wall clocks jump, receivers change their mind. */
async function trouble(scene: Scene): Promise<void> {
  const { world, random } = scene
  while (isOpen(scene)) {
    await pause(scene, random.between(0, DAY_MS / 3))
    if (!isOpen(scene)) return
    const process = random.pick(PROCESSES)
    const drawn = random.share()
    if (drawn < 0.5) world.crash(process)
    else if (drawn < 0.75) jump(scene, process)
    for (const merchantId of MERCHANTS)
      world.receivers.behave(receiverHost(merchantId), random.share() < 0.5 ? 'OK' : random.pick(BEHAVIOURS))
  }
}

/** The wall clock of a process is wrong for a while. */
function jump({ world, random }: Scene, process: (typeof PROCESSES)[number]): void {
  world.skew(process, random.between(-2, 2) * 3_600_000)
  world.time.after(random.between(0, 30 * MINUTE_MS), () => world.skew(process, 0))
}

/** What the institution, and its customer, do with a payment that was handed over. */
function live(scene: Scene, reference: string, payment: BankPayment): void {
  const { world, random } = scene
  const { asked } = payment
  payment.askAgainSeconds = random.pick([undefined, 300, 900])
  const isOut = asked.direction === 'PAYOUT'
  // Customers may pay when their time is over, and institutions take their time.
  const delayMs = random.between(0, isOut ? 30 * MINUTE_MS : 15 * MINUTE_MS)
  world.time.after(delayMs, () => {
    const drawn = random.share()
    if (!isOut && drawn < 0.1) return
    const { amount, currencyCode } = asked.money
    const other = { amount: random.pick(['1', `${amount}0`]), currencyCode }
    if (!isOut && drawn < 0.2) world.bank.decide(reference, 'SUCCEEDED', other)
    else world.bank.decide(reference, drawn < 0.3 ? random.pick(['FAILED', 'CANCELLED']) : 'SUCCEEDED')
    // From now on it is how often it is asked whether the money came back.
    payment.askAgainSeconds = isOut ? random.pick([undefined, DAY_MS / 4_000]) : undefined
    tell(scene, reference)
    if (random.share() < 0.1) giveBack(scene, reference)
  })
}

function giveBack(scene: Scene, reference: string): void {
  const { world, random } = scene
  world.time.after(random.between(MINUTE_MS, DAY_MS / 2), () => {
    world.bank.decide(reference, 'RETURNED')
    tell(scene, reference)
  })
}

/** Tells the gateway until it is taken, at times twice, and at times what is already old news. */
function tell(scene: Scene, reference: string): void {
  const { world, random } = scene
  scene.notices += 1
  const no = `N-${scene.notices}`
  const copies = random.share() < 0.2 ? 3 : 1
  for (let copy = 0; copy < copies; copy += 1) {
    const deliver = async (): Promise<void> => {
      for (let delivery = 0; delivery < DELIVERIES_MAX; delivery += 1) {
        // Signed anew each time: an old signature would be refused.
        const signed = world.bank.messageOf(reference, no)
        if (signed !== undefined && (await world.notify(signed))) return
        await pause(scene, MINUTE_MS)
      }
    }
    world.time.after(random.between(0, 2 * MINUTE_MS), () => void deliver())
  }
}

import type { Client, Ending, Judgement, Name } from './client.ts'
import { waitingIn } from './commands.ts'
import type { Governance } from './governance.ts'
import { type HandedIn, LINE_FORMS, type Waiting } from './uploads.ts'
import type { Answer } from './world.ts'

// Days as operators see them who decide about money: payouts that wait or are put on hold, and documents that are handed in.

const PAUSE_MS_MAX = 4 * 3_600_000
const REPEAT_MS = 1_000
const SOON_MS = 30 * 60_000
const [ANNA, BERT] = ['ANNA', 'BERT'] as const

/** Go on until the end of the days. */
export async function decideAboutMoney(governance: Governance): Promise<void> {
  const { world, random, endMs } = governance
  for (;;) {
    await pause(governance, random.between(0, PAUSE_MS_MAX))
    if (world.time.nowMs() >= endMs) return
    for (const name of payoutsOf(governance, 'AWAITING_APPROVAL')) await decide(governance, name)
    for (const name of payoutsOf(governance, 'ON_HOLD'))
      await insist(governance, (client) => client.changeHold('release', name, BERT))
    if (random.share() < 0.3) await upload(governance)
  }
}

const pause = ({ world }: Governance, ms: number): Promise<void> =>
  new Promise((resolve) => void world.time.after(ms, resolve))

function payoutsOf({ world: { disk } }: Governance, phase: string): readonly Name[] {
  return [...disk.payments.values()]
    .filter((each) => each.kind === 'PAYOUT' && each.status === 'CREATED' && each.processor_status === phase)
    .map(({ merchant_id, id_payment }) => ({ merchantId: merchant_id, kind: 'PAYOUT', id: id_payment }))
}

/** Until there is an answer. */
async function insist(governance: Governance, ask: (client: Client) => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask(governance.client)
    if (answer.status !== 'UNANSWERED' && answer.status !== 500) return answer
    await pause(governance, REPEAT_MS)
  }
}

/** Two approve it, mostly; or one does and nobody else; or it is stopped meanwhile; or rejected. */
async function decide(governance: Governance, name: Name): Promise<void> {
  const { random } = governance
  const judge = (action: 'approve' | 'reject', operatorCode: Judgement['operatorCode']) =>
    insist(governance, (client) => client.judge(action, name, { operatorCode, sees: 'CONTENT' }))
  const drawn = random.share()
  if (drawn < 0.15) await judge('reject', ANNA)
  if (drawn < 0.3) return
  await judge('approve', ANNA)
  if (drawn < 0.4) await judge('approve', ANNA)
  if (drawn < 0.5) return
  if (drawn < 0.7) await insist(governance, (client) => client.changeHold('hold', name, ANNA))
  await pause(governance, random.between(0, SOON_MS))
  await judge('approve', BERT)
}

/** A document about what an institution was asked for and has not answered: true, or about other money. */
function drawDocument({ world, random }: Governance): Pick<HandedIn, 'kind' | 'lines'> | undefined {
  const open = [...world.bank.payments].filter(([, { status }]) => status === 'PENDING')
  const [reference, chosen] = open[random.below(Math.max(1, open.length))] ?? []
  if (reference === undefined || chosen === undefined) return undefined
  const { direction, money } = chosen.asked
  const others = [...world.bank.payments.keys()].filter((each) => each !== reference)
  const isExact = random.share() < 0.7
  if (isExact && !world.bank.decideOnPaper(reference, 'SUCCEEDED')) return undefined
  return {
    kind: direction === 'PAYOUT' ? 'PAYOUT_REPORT' : 'STATEMENT_FILE',
    lines: [
      {
        ...money,
        reference,
        amount: isExact ? money.amount : `${money.amount}1`,
        form: random.pick(LINE_FORMS),
        other: others[random.below(others.length)] ?? reference,
      },
    ],
  }
}

/** Hands a document in, at times twice. */
async function upload(governance: Governance): Promise<void> {
  const { random } = governance
  const document = drawDocument(governance)
  if (document === undefined) return
  for (let times = random.share() < 0.3 ? 2 : 1; times > 0; times -= 1) {
    const order = { ...document, operatorCode: ANNA }
    const waiting = waitingIn(await insist(governance, (client) => client.handIn(order)))
    if (waiting === undefined) return
    await endUpload(governance, waiting)
  }
}

/** Who handed it in tries alone; another one confirms it, or refuses it, or nobody does. */
async function endUpload(governance: Governance, waiting: Waiting): Promise<void> {
  const { random, client } = governance
  const end = (ending: Ending): Promise<Answer> => insist(governance, () => client.endUpload(waiting, ending))
  if (random.share() < 0.3 && (await end({ action: 'confirm', operatorCode: ANNA })).status === 200)
    client.breaches.push({ property: 'S21', what: 'one person confirmed their own document' })
  const drawn = random.share()
  if (drawn < 0.2) return
  await pause(governance, random.between(0, SOON_MS))
  await end({ action: drawn < 0.3 ? 'refuse' : 'confirm', operatorCode: BERT })
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createGateway, type RawRequest, type RawResponse } from '@tollgate/sdk'
import { at } from '@tollgate/testkit'
import type { Random } from '../../rig/random.ts'
import type { Money, PaymentName } from '../check/facts.ts'
import { nowMs } from './history.ts'

const TIMEOUT_MS = 5_000
const REPEAT_PAUSE_MS = 200
const BRING_TIMEOUT_MS = 120_000
const SERVER_FAULT = 500
const LIMITED = 429
const WAITS = 202
const CONFLICT = 409
const ROUNDS_MAX = 20
/** It has to be handed over first, by a worker that may be dead for a while. */
const REVIEW_ROUNDS_MAX = 300

/** Two operators: what the one hands in, asks for or stops, the other one confirms, approves or releases. */
export interface Staff {
  /**
   * Hands in a statement with this money, as often as it takes to hear an answer, and has it confirmed. The one who handed it
   * in tries to confirm it, too.
   */
  bring(line: { readonly reference: string; readonly money: Money }): Promise<void>
  /** Puts a payout on hold; the one who did so tries to release it, too, and then the other one does. */
  holdAndRelease(name: PaymentName): Promise<void>
  /** Approves a payout as it is shown, one after the other, until it does not wait any more. */
  approve(name: PaymentName): Promise<void>
  /** Says that a payout was executed, one after the other, until it has ended; the first one tries to do it alone. */
  review(name: PaymentName): Promise<void>
}

interface StaffDeps {
  readonly dataDir: string
  /** Ports of the operator API. */
  readonly ports: readonly number[]
  readonly random: Random
  readonly say: (line: string) => void
}

export function createStaff({ dataDir, ports, random, say }: StaffDeps): Staff {
  const keyOf = (code: string): string =>
    readFileSync(join(dataDir, 'demo', `operator-${code}.key`), 'utf8').trim()
  const [ada, grace] = [keyOf('ada'), keyOf('grace')]
  const gateways = ports.map((port) =>
    createGateway({
      baseUrl: `http://127.0.0.1:${port}`,
      merchantCode: '',
      timeoutMs: TIMEOUT_MS,
      retries: 0,
    }),
  )

  /** Asks one process after another until one answers. */
  async function ask(request: RawRequest): Promise<RawResponse | undefined> {
    const deadlineMs = nowMs() + BRING_TIMEOUT_MS
    while (nowMs() < deadlineMs) {
      const answer = await random
        .pick(asMany(gateways))
        .request(request)
        .catch(() => undefined)
      if (answer !== undefined && answer.status < SERVER_FAULT && answer.status !== LIMITED) return answer
      await sleep(REPEAT_PAUSE_MS)
    }
    return undefined
  }

  /** What is shown of a payout that waits; undefined when it does not wait. */
  async function hashOf({ merchantCode, id }: Pick<PaymentName, 'merchantCode' | 'id'>) {
    const query = `status=AWAITING_APPROVAL&merchantCode=${merchantCode}&limit=100`
    const shown = await ask({ method: 'GET', path: `/operator/payouts?${query}`, token: ada })
    const rows = at(shown?.body, 'data')
    const row: unknown = Array.isArray(rows)
      ? rows.find((each: unknown) => at(each, 'idPayout') === id)
      : undefined
    return row === undefined ? undefined : at(row, 'contentHash')
  }

  return {
    async bring(line) {
      const handedIn = await ask({
        method: 'POST',
        path: '/operator/statements?fileName=day.sta',
        token: ada,
        rawBody: statementOf(line),
        headers: { 'content-type': 'text/plain' },
      })
      // It was taken: by two when the confirmation's answer was lost, or by one, which the checks find.
      if (handedIn?.status !== WAITS) return
      const waiting = at(handedIn.body, 'waiting')
      const path = `/operator/confirmations/${String(at(waiting, 'confirmationId'))}/!confirm`
      const body = { digest: at(waiting, 'digest') }
      const own = await ask({ method: 'POST', path, token: ada, body })
      if (own?.status === 200) say(`  ${path}: one person confirmed their own file`)
      const confirmed = await ask({ method: 'POST', path, token: grace, body })
      if (confirmed !== undefined && confirmed.status !== 200)
        say(`  ${path}: ${confirmed.status} ${JSON.stringify(confirmed.body)}`)
    },
    async holdAndRelease({ merchantCode, id }) {
      const path = `/operator/payments/PAYOUT/${merchantCode}/${id}`
      const body = { reason: 'the merchant called' }
      const post = (action: string, token: string) =>
        ask({ method: 'POST', path: `${path}/${action}`, token, body })
      await post('!hold', ada)
      await post('!release', ada)
      const released = await post('!release', grace)
      // 409: it was done, and the answer was lost.
      if (released?.status !== 200 && released?.status !== CONFLICT)
        say(`  ${path}: ${released?.status} ${JSON.stringify(released?.body)}`)
    },
    async approve({ merchantCode, id }) {
      for (let rounds = 0; rounds < ROUNDS_MAX; rounds += 1) {
        const contentHash = await hashOf({ merchantCode, id })
        if (contentHash === undefined) return
        const path = `/operator/payouts/${merchantCode}/${id}/!approve`
        for (const token of [ada, ada, grace])
          await ask({ method: 'POST', path, token, body: { contentHash } })
      }
      say(`  ${merchantCode} ${id}: it still waits for approval`)
    },
    review: reviewBy({ ask, first: ada, second: grace, say }),
  }
}

interface Reviewers {
  readonly ask: (request: RawRequest) => Promise<RawResponse | undefined>
  readonly first: string
  readonly second: string
  readonly say: (line: string) => void
}

function reviewBy({ ask, first, second, say }: Reviewers): Staff['review'] {
  return async ({ merchantCode, id }) => {
    const path = `/operator/reviews/PAYOUT/${merchantCode}/${id}`
    const body = { outcome: 'EXECUTED', reason: 'by the statement of today' }
    for (let rounds = 0; rounds < REVIEW_ROUNDS_MAX; rounds += 1) {
      const shown = await ask({ method: 'GET', path, token: first })
      if (at(shown?.body, 'process', 'status') === 'SUCCESS') return
      for (const token of [first, first, second])
        await ask({ method: 'POST', path: `${path}/!decide`, token, body })
      await sleep(REPEAT_PAUSE_MS)
    }
    say(`  ${merchantCode} ${id}: nobody said what became of it`)
  }
}

function asMany<Item>(items: readonly Item[]): readonly [Item, ...Item[]] {
  const [first, ...others] = items
  if (first === undefined) throw new Error('there is no process to ask')
  return [first, ...others]
}

/** An MT940 of the sandbox's account: the same bytes for the same payment. Amounts of these runs are whole. */
function statementOf({ reference, money }: { readonly reference: string; readonly money: Money }): string {
  return [
    ':20:FAULTS',
    ':25:99999999/0000000001',
    ':28C:1/1',
    ':60F:C261119EUR0,00',
    `:61:2611201120C${money.amount},00NTRF${reference}//B${reference}`,
    `:86:${reference}`,
    `:62F:C261120EUR${money.amount},00`,
    '-',
    '',
  ].join('\r\n')
}

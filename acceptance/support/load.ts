import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RawResponse, TollgateError } from '@tollgate/sdk'
import { waitUntil } from '@tollgate/testkit'
import { expectError } from './expectations.ts'
import type { TestGateway } from './gateway.ts'
import { at, textAt } from './json.ts'
import { createRequest, newId, readPayin, type Wanted } from './payins.ts'

const PAUSE_MS = 40
const PAUSE_AFTER_FAILURE_MS = 50
const CHECKED_AT_ONCE = 20
const LOAD_TIMEOUT_MS = 60_000
/** What a killed process had taken in hand is given to another only when its lease is over. */
const END_TIMEOUT_MS = 60_000
const END_POLL_MS = 500

/** What every payin of the load asks for. */
const LOADED: Wanted = { email: 'success@sandbox.test' }

/** Merchants who create payins without pause, and remember what they were told. */
interface Load {
  /** Every id that was answered with 201, and its `acceptedAt`. */
  readonly accepted: ReadonlyMap<string, string>
  /** Ids without an answer, or with a 500: their outcome is not known. */
  readonly unknown: ReadonlySet<string>
  /** Ends when the requests under way have; fails the test when an answer was neither 201 nor 500. */
  stop(): Promise<void>
}

/** Lets `workers` merchants' servers create payins until the load is stopped. */
export function startLoad(gateway: TestGateway, token: string, workers: number): Load {
  const accepted = new Map<string, string>()
  const unknown = new Set<string>()
  let isStopped = false

  async function work(): Promise<void> {
    while (!isStopped) {
      const id = newId()
      const response = await answerTo(gateway, token, id)
      if (response?.status === 201) {
        accepted.set(id, textAt(response.body, 'paymentMethodResponse', 'acceptedAt'))
        await sleep(PAUSE_MS)
      } else {
        if (response !== undefined) expectError(response, 500, 'SYSTEM')
        unknown.add(id)
        await sleep(PAUSE_AFTER_FAILURE_MS)
      }
    }
  }

  const allWork = Promise.all(Array.from({ length: workers }, work))
  // Whoever stops the load hears of a failure; until then nobody does.
  allWork.catch(() => undefined)
  return {
    accepted,
    unknown,
    async stop() {
      isStopped = true
      await allWork
    },
  }
}

/** The answer to a create, or undefined when none came. */
async function answerTo(gateway: TestGateway, token: string, id: string): Promise<RawResponse | undefined> {
  try {
    return await gateway.send(createRequest(token, id, LOADED))
  } catch (error) {
    if (error instanceof TollgateError && error.status === 0) return undefined
    throw error
  }
}

/** The answer to the same create once more. One that is not known, as on a busy machine, is asked for again, as merchants do. */
async function answerAgain(gateway: TestGateway, token: string, id: string): Promise<RawResponse> {
  let answer: RawResponse | undefined
  const isKnown = async (): Promise<boolean> => {
    answer = await gateway.send(createRequest(token, id, LOADED))
    return answer.status !== 500
  }
  await waitUntil(isKnown, { timeoutMs: END_TIMEOUT_MS, what: `an answer to ${id}` })
  assert.ok(answer !== undefined)
  return answer
}

/** Waits until so many more payins were accepted. */
export function untilAccepted(load: Load, count: number): Promise<void> {
  const enough = load.accepted.size + count
  return waitUntil(() => load.accepted.size >= enough, {
    timeoutMs: LOAD_TIMEOUT_MS,
    what: `${count} more payins to be accepted`,
  })
}

/** Every 201 is kept: the same request again is a duplicate, accepted when it was, and the payin comes to its end. */
export async function expectKept(
  gateway: TestGateway,
  token: string,
  load: Pick<Load, 'accepted'>,
): Promise<void> {
  await inParallel([...load.accepted], async ([id, acceptedAt]) => {
    const again = await answerAgain(gateway, token, id)
    expectError(again, 409, 'ENTITY_DUPLICATED')
    assert.equal(at(again.body, 'duplicate'), 'IDENTICAL')
    assert.equal(at(again.body, 'acceptedAt'), acceptedAt)
    await untilPaid(gateway, token, id)
  })
}

/** What had no answer can be sent again: it is accepted now, or was before; and then it is there once. */
export async function expectRepeatable(gateway: TestGateway, token: string, load: Load): Promise<void> {
  await inParallel([...load.unknown], async (id) => {
    const again = await answerAgain(gateway, token, id)
    if (again.status !== 201) expectError(again, 409, 'ENTITY_DUPLICATED')
    await untilPaid(gateway, token, id)
  })
}

async function untilPaid(gateway: TestGateway, token: string, id: string): Promise<void> {
  const deadlineMs = performance.now() + END_TIMEOUT_MS
  for (;;) {
    const status = at(await readPayin(gateway, token, id), 'process', 'status')
    if (status === 'SUCCESS') return
    assert.ok(performance.now() < deadlineMs, `${id} is ${String(status)}`)
    await sleep(END_POLL_MS)
  }
}

async function inParallel<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items]
  const worker = async (): Promise<void> => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item)
  }
  await Promise.all(Array.from({ length: CHECKED_AT_ONCE }, worker))
}

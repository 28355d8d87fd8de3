import type { TestContext } from 'node:test'
import { faultsOf } from '../../modules/statements/test/rig.ts'
import { openPayoutRig } from '../chains/payout-rig.ts'
import { CONFIRMATIONS } from '../chains/rig.ts'
import { type Met, testHostileInstitution } from './hostile.ts'

type Rig = Awaited<ReturnType<typeof openPayoutRig>>

/** A payout of 25 coins on a chain whose nodes and blocks a test spoils. */
async function meet(t: TestContext, act: (rig: Rig, payee: string) => Promise<void>): Promise<Met> {
  const opened = await openPayoutRig(t)
  const payout = await opened.pay('25')
  await act(opened, payout.payee)
  const { rig, paid, tell, problem } = opened
  const units = paid().get(payout.payee) ?? 0n
  return {
    moved: Number(units / 25_000_000n),
    says: await tell(payout),
    isWithPeople: (await problem()) !== '',
    faults: await faultsOf(rig),
  }
}

/** Looks that a node does not survive end with an error, and the next one goes on. */
async function lookAtLast({ look }: Rig): Promise<void> {
  await look().catch(() => undefined)
}

testHostileInstitution('evm', {
  SILENT: {
    says: 'SUCCEEDED',
    moved: 1,
    meet: (t) =>
      meet(t, async (rig) => {
        for (const { moods } of rig.nodes) moods.ends = 'AFTER'
        await lookAtLast(rig)
        for (const { moods } of rig.nodes) moods.ends = undefined
        await rig.look()
        rig.chain.minePending(CONFIRMATIONS.small)
        await rig.look()
      }),
  },
  BROKEN: {
    says: 'SUCCEEDED',
    moved: 1,
    meet: (t) =>
      meet(t, async (rig) => {
        await rig.look()
        for (const { moods } of rig.nodes) moods.isDown = true
        rig.chain.minePending(CONFIRMATIONS.small)
        await lookAtLast(rig)
        await lookAtLast(rig)
        for (const { moods } of rig.nodes) moods.isDown = false
        await rig.look()
      }),
  },
  // One of two nodes does not tell of the transaction: it is not paid until both do.
  OTHERS: {
    says: 'WAITING',
    moved: 1,
    meet: (t) =>
      meet(t, async ({ look, chain, nodes }) => {
        await look()
        const [sent] = chain.mempool.waiting()
        nodes[1].moods.hidden?.add(sent?.hash ?? '')
        chain.minePending(CONFIRMATIONS.large)
        await look()
        await look()
      }),
  },
  // Nodes that take a transaction and forget it are given the same one again, under the same number.
  FOREVER: {
    says: 'WAITING',
    moved: 0,
    meet: (t) =>
      meet(t, async ({ look, nodes, chain }) => {
        for (const { moods } of nodes) moods.forgets = true
        for (let round = 0; round < 5; round += 1) {
          await look()
          chain.minePending()
        }
      }),
  },
  // A block says that it failed, and the one in its place that it did not.
  TURNS: {
    says: 'SUCCEEDED',
    moved: 1,
    meet: (t) =>
      meet(t, async ({ look, chain }, payee) => {
        await look()
        chain.refusedPayees.add(payee)
        chain.minePending()
        await look()
        chain.reorganise(1)
        chain.refusedPayees.delete(payee)
        chain.minePending(CONFIRMATIONS.small)
        await look()
      }),
  },
  TAKES_BACK: {
    says: 'SUCCEEDED',
    moved: 1,
    meet: (t) =>
      meet(t, async ({ look, chain }) => {
        await look()
        chain.minePending()
        await look()
        chain.reorganise(1)
        await look()
        chain.mine([], 2)
        await look()
        chain.minePending(CONFIRMATIONS.small)
        await look()
      }),
  },
})

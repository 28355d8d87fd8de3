// `npm run bench -- chains`: what reading a chain costs. Nodes and database are those of the tests: the nodes in the same process, so that what they
// need for their answers is in these figures, and what real ones need is not; the database without waiting for its disk.

import { type Amount, parsePlainAmount } from '@tollgate/money'
import { EVM_COIN } from '@tollgate/payment-codes'
import { type TestLife, transaction } from '@tollgate/testkit'
import { type ChainRig, ETH, openChainRig, TOKENS, USDC } from '../../apps/gateway/src/test/chains/rig.ts'
import { startTestServer } from '../../tools/test-server.ts'
import { terminalTable } from '../rig/table.ts'

const BLOCKS = 10_000
/** Of others, in each block. */
const FOREIGN = 20
const PAYINS = 1_000
const OPEN = [10, 10_000] as const
const MS = 1_000
/** Others, each of whom gets something now and then. */
const STRANGERS = Array.from({ length: 1_000 }, (_, index) => `0x${String(index).padStart(40, '5')}`)
const ONE: Amount = parsePlainAmount('1')

type Watched = 'tokens' | 'tokens and the coin'

/** Prints blocks a second, questions a payin, and questions of a look by how many payments wait. */
export async function runChains(): Promise<void> {
  const server = await startTestServer()
  process.env['TOLLGATE_TEST_SERVER_URL'] = server.url
  try {
    for (const watched of ['tokens', 'tokens and the coin'] as const) {
      process.stdout.write(`\nReading ${watched}\n`)
      await catchUp(watched)
      await idleLooks(watched)
    }
  } finally {
    await server.stop()
  }
}

/** A rig for one measurement. */
async function inRig(watched: Watched, measure: (rig: ChainRig) => Promise<void>): Promise<void> {
  const ends: (() => unknown)[] = []
  const life: TestLife = { after: (end) => void ends.push(end) }
  try {
    const rig = await openChainRig(life, watched === 'tokens' ? {} : { assets: [...TOKENS, ETH] })
    rig.chain.funds.coin = 0n
    await rig.look()
    await measure(rig)
  } finally {
    for (const end of ends.reverse()) await end()
  }
}

async function catchUp(watched: Watched): Promise<void> {
  await inRig(watched, async ({ chain, nodes: [node], accept, look }) => {
    const token = watched === 'tokens' ? USDC : EVM_COIN
    const currencyCode = token === USDC ? 'USDC' : 'ETH'
    const units = token === USDC ? 10n ** 6n : 10n ** 18n
    const payins = []
    for (let count = 0; count < PAYINS; count += 1) payins.push(await accept(ONE, { currencyCode }))
    for (let block = 0; block < BLOCKS; block += 1) {
      const foreign = Array.from({ length: FOREIGN }, (_, index) =>
        transaction({ token, to: STRANGERS[(block * FOREIGN + index) % STRANGERS.length] ?? '', units }),
      )
      const own = block % (BLOCKS / PAYINS) === 0 ? payins[block / (BLOCKS / PAYINS)] : undefined
      chain.mine(own === undefined ? foreign : [...foreign, own.pay(units, token)])
    }
    node.counts.clear()
    const began = performance.now()
    await look()
    const seconds = (performance.now() - began) / MS
    const questions = [...node.counts.values()].reduce((sum, count) => sum + count, 0)
    process.stdout.write(
      `  catching up: ${BLOCKS} blocks of ${FOREIGN} others with ${PAYINS} payins in ${seconds.toFixed(1)} s: ${Math.round(BLOCKS / seconds)} blocks a second, ${(questions / PAYINS).toFixed(2)} questions a payin and node\n`,
    )
  })
}

async function idleLooks(watched: Watched): Promise<void> {
  const rows: string[][] = []
  for (const open of OPEN)
    await inRig(watched, async ({ rig, chain, nodes: [node], accept, look }) => {
      await accept(ONE, { currencyCode: watched === 'tokens' ? 'USDC' : 'ETH' })
      await rig.sql(
        `insert into payments select (jsonb_populate_record(p, jsonb_build_object('id_payment', 'MANY-' || n, 'reference', lpad(n::text, 12, '0'),
            'instructions', jsonb_set(p.instructions, '{wallet,address}', to_jsonb('0x' || lpad(to_hex(n), 40, '9')))))).*
          from payments p, generate_series(2, ${open}) n`,
      )
      chain.mine([], 1)
      await look()
      node.counts.clear()
      chain.mine([], 1)
      await look()
      const counts = [...node.counts].map(([method, count]) => `${method} ${count}`)
      rows.push([String(open), counts.sort().join(', ')])
    })
  process.stdout.write(`${terminalTable(['OPEN', 'QUESTIONS OF A LOOK, BY NODE'], rows)}\n`)
}

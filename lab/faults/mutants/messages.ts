import { wrongClocks } from '../kinds/wrong-clocks.ts'
import { calm, lostBookings, lostNotices } from './loads.ts'
import type { Mutant } from './mutant.ts'

const CALLBACKS = 'apps/gateway/src/modules/callbacks'
const CLAIM_STORE = `${CALLBACKS}/claim-store.ts`
const DATABASE = 'apps/gateway/src/platform/database.ts'

/** Gateways that go wrong about what merchants are told. */
export const MESSAGE_MUTANTS: readonly Mutant[] = [
  {
    name: 'outbox-outside-transaction',
    title: 'callbacks are noted after the transaction that changes the status',
    patches: [
      {
        file: 'apps/gateway/src/modules/payments/progress/transitions.ts',
        find: 'insertCallbackEvents(tx, notices, deps.fresh)',
        replace: 'tx.afterwards.push((after) => insertCallbackEvents(after, notices))',
      },
      {
        file: DATABASE,
        find: 'const tx: Tx = {\n',
        replace: 'const tx = {\n      afterwards: [],\n',
      },
      {
        file: DATABASE,
        find: 'warnings.refuse()\n    return result\n',
        replace: `warnings.refuse()
    const after = { rows: (statement, values) => query(client, statement, values) }
    for (const insert of tx.afterwards) await insert(after)
    return result\n`,
      },
    ],
    kind: lostNotices,
    mustBreak: 'I6',
  },
  {
    name: 'told-before-commit',
    title: 'callbacks are sent when they are written, before their transaction is committed',
    patches: [
      {
        file: `${CALLBACKS}/fresh.ts`,
        find: 'each.writtenAtSeconds ??= atSeconds',
        replace: 'each.resolve(atSeconds)',
      },
    ],
    kind: lostBookings,
    mustBreak: 'I13',
  },
  {
    name: 'any-2xx-counts',
    title: 'a callback that is answered with any 2xx counts as delivered',
    patches: [
      {
        file: `${CALLBACKS}/model.ts`,
        find: 'const isDelivered = result.status === 200',
        replace: 'const isDelivered = result.status >= 200 && result.status < 300',
      },
    ],
    kind: calm,
    mustBreak: 'I13',
  },
  {
    name: 'due-by-own-clock',
    title: "what is due is asked of the worker's clock instead of the database's",
    patches: [
      {
        file: CLAIM_STORE,
        find: 'clock as materialized (select clock_timestamp() as now)',
        replace:
          'clock as materialized (select to_timestamp($${isWalking ? 15 : 13}::double precision / 1000) as now)',
      },
      {
        file: CLAIM_STORE,
        find: "walk.from?.merchantId ?? '0']),\n  ])",
        replace: "walk.from?.merchantId ?? '0']),\n    Date.now(),\n  ])",
      },
    ],
    kind: wrongClocks,
    mustBreak: 'I7',
  },
  {
    name: 'claim-without-lease',
    title: 'a claim leases nothing: what is under way stays due, and whoever comes back first is believed',
    patches: [
      {
        file: CLAIM_STORE,
        find: 'due_at = (select now from clock) + make_interval(secs => $10::double precision)',
        replace: 'due_at = due_at + make_interval(secs => 0 * $10::double precision)',
      },
      {
        file: `${CALLBACKS}/store.ts`,
        find: 'from result r where e.event_id = r.event_id and e.lease_token = r.lease_token',
        replace: 'from result r where e.event_id = r.event_id',
      },
    ],
    kind: calm,
    mustBreak: 'I7',
  },
]

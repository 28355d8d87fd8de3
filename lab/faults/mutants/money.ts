import { killRefunds } from '../kinds/kill-refunds.ts'
import { calm, heldBalances } from './loads.ts'
import type { Mutant } from './mutant.ts'

const ACCEPT_STORE = 'apps/gateway/src/modules/payments/accept/store.ts'
const ACCEPT_ROWS = 'apps/gateway/src/modules/payments/accept/store.ts'
const LEAVE_ALONE = 'on conflict do nothing'

/** Gateways that go wrong about money, or about what they have accepted. */
export const MONEY_MUTANTS: readonly Mutant[] = [
  {
    name: 'drop-check',
    title: 'nothing asks whether a balance covers a payout: neither the statement nor the CHECK of the table',
    patches: [
      {
        file: 'apps/gateway/migrations/0005_ledger_create.sql',
        find: 'available numeric not null default 0 check (available >= 0),',
        replace: 'available numeric not null default 0,',
      },
      {
        file: ACCEPT_STORE,
        find: 'a.available >= t.need_in_all as is_covered',
        replace: 'true as is_covered',
      },
    ],
    kind: calm,
    mustBreak: 'I3',
  },
  {
    name: 'read-then-write',
    title: 'a payout writes the balance that it read, without a lock in between',
    patches: [
      {
        file: ACCEPT_STORE,
        find: `order by (b.merchant_id || ' ' || b.currency_code) collate "C" for update),`,
        replace: `order by (b.merchant_id || ' ' || b.currency_code) collate "C"),`,
      },
    ],
    kind: heldBalances,
    mustBreak: 'I2',
  },
  {
    name: 'insert-without-unique',
    title: 'a payment is inserted if its id is not there yet, and no unique key says so',
    patches: [
      {
        file: 'apps/gateway/migrations/0006_payments_create.sql',
        find: 'processed_at timestamptz,\n  primary key (merchant_id, kind, id_payment)\n);',
        replace:
          'processed_at timestamptz\n);\ncreate index payments_by_id on payments (merchant_id, kind, id_payment);',
      },
      {
        file: ACCEPT_ROWS,
        find: `from \${source} order by merchant_id, kind, id_payment, position
      on conflict (merchant_id, kind, id_payment) do nothing`,
        replace: `from \${source} i where not exists (
        select from payments p where p.merchant_id = i.merchant_id and p.kind = i.kind and p.id_payment = i.id_payment)`,
      },
      {
        file: ACCEPT_ROWS,
        find: `processor_status, 'merchant', created_at from inserted`,
        replace: `processor_status, 'merchant', created_at from inserted ${LEAVE_ALONE}`,
      },
      {
        file: ACCEPT_ROWS,
        find: 'where i.sealed is not null',
        replace: `where i.sealed is not null ${LEAVE_ALONE}`,
      },
      {
        file: ACCEPT_ROWS,
        find: 'where i.starts_at_once',
        replace: `where i.starts_at_once ${LEAVE_ALONE}`,
      },
    ],
    kind: calm,
    mustBreak: 'I11',
  },
  {
    name: 'retry-on-409',
    title: 'a request whose id is taken is not answered 409 but made again under a fresh id',
    patches: [
      {
        file: 'apps/gateway/src/modules/payments/accept/intake.ts',
        find: `if (verdict.kind === 'DUPLICATE') throw`,
        replace: `if (verdict.kind === 'DUPLICATE')
    return create(parts, { ...order, key: { ...key, idPayment: \`\${key.idPayment}-again\` } })
  if (verdict.kind === 'DUPLICATE') throw`,
      },
    ],
    kind: calm,
    mustBreak: 'I11',
  },
  {
    name: 'refund-without-lock',
    title: 'what is left of a payin is read without a lock of the payin',
    patches: [
      {
        file: 'apps/gateway/src/modules/payments/store.ts',
        find: 'const [payment] = await listPaymentsForUpdate(tx, [key])',
        replace: 'const [payment] = await listPayments(tx, [key])',
      },
    ],
    kind: killRefunds,
    mustBreak: 'I22',
  },
]

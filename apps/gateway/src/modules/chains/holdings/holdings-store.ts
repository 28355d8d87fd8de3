import { type Amount, parsePlainAmount } from '@tollgate/money'
import type { Statement, Tx } from '../../../platform/database.ts'
import type { Holdings, KeptHoldings } from './model.ts'

const UPSERT_DEPARTURES: Statement = {
  name: 'chain_departures_upsert',
  text: `insert into chain_departures (chain_code, tx_hash, ordinal, currency_code, amount, address, reference, to_address, block_number)
      select $1, decode(tx_hash, 'hex'), ordinal, currency_code, amount, address, reference, to_address, block_number
      from unnest($2::text[], $3::int[], $4::text[], $5::numeric[], $6::text[], $7::text[], $8::text[], $9::bigint[])
        as n(tx_hash, ordinal, currency_code, amount, address, reference, to_address, block_number)
    on conflict (chain_code, tx_hash, currency_code, ordinal) do update set amount = excluded.amount, address = excluded.address,
      reference = excluded.reference, to_address = excluded.to_address, block_number = excluded.block_number`,
}
const REMOVE_DEPARTURES: Statement = {
  name: 'chain_departures_remove',
  text: 'delete from chain_departures where chain_code = $1 and block_number > $2',
}
const LIST_HELD: Statement = {
  name: 'chain_holdings_list_held',
  text: `with moved as (
      select lower(address) as address, reference, currency_code, amount from chain_transfers
      where chain_code = $1 and state in ('SEEN', 'BOOKED') and block_number <= $2
      union all
      select address, reference, currency_code, -amount from chain_departures where chain_code = $1 and block_number <= $2)
    select address, min(reference) as reference, currency_code as "currencyCode", trim_scale(sum(amount))::text as amount
    from moved group by address, currency_code having sum(amount) <> 0 order by address`,
}
const LIST_HELD_BY: Statement = {
  name: 'chain_holdings_list_held_by',
  text: `with moved as (
      select lower(address) as address, amount from chain_transfers
      where chain_code = $1 and state in ('SEEN', 'BOOKED') and block_number <= $2 and currency_code = $3 and lower(address) = any($4)
      union all
      select address, -amount from chain_departures where chain_code = $1 and block_number <= $2 and currency_code = $3 and address = any($4))
    select address, trim_scale(sum(amount))::text as amount from moved group by address`,
}
const SUM: Statement = {
  name: 'chain_holdings_sum',
  text: `with moved as (
      select currency_code, case state when 'BOOKED' then amount else 0 end as booked, case state when 'SEEN' then amount else 0 end as waiting, 0 as swept
      from chain_transfers where chain_code = $1 and state in ('SEEN', 'BOOKED') and block_number <= $2
      union all
      select currency_code, -amount, 0, 0 from chain_payouts where chain_code = $1 and state = 'PAID' and block_number <= $2
      union all
      select currency_code, 0, 0, amount from chain_departures where chain_code = $1 and block_number <= $2 and to_address = any($3))
    select currency_code as "currencyCode", trim_scale(sum(booked))::text as booked, trim_scale(sum(waiting))::text as waiting,
      trim_scale(sum(swept))::text as swept
    from moved group by currency_code order by currency_code`,
}
const LIST_STRAYED: Statement = {
  name: 'chain_departures_list_strayed',
  text: `select '0x' || encode(tx_hash, 'hex') as "txHash", currency_code as "currencyCode", trim_scale(amount)::text as amount, reference, to_address as "toAddress"
    from chain_departures where chain_code = $1 and block_number <= $2 and amount > 0 and to_address <> all ($3) order by block_number desc, tx_hash, ordinal limit $4`,
}
const IS_DUE: Statement = {
  name: 'chain_holdings_is_due',
  text: `with made as (insert into chain_holdings (chain_code) values ($1) on conflict do nothing)
    select from (values (1)) one where not exists (select from chain_holdings where chain_code = $1 and next_count_at > statement_timestamp())`,
}
const ASK: Statement = {
  name: 'chain_holdings_ask',
  text: `update chain_holdings set next_count_at = '-infinity' where chain_code = $1`,
}
const KEEP: Statement = {
  name: 'chain_holdings_keep',
  text: `update chain_holdings set counted_at = statement_timestamp(), report = $2, problem = null, problem_since = null,
      findings_since = case when $3 then coalesce(findings_since, statement_timestamp()) end, next_count_at = statement_timestamp() + make_interval(secs => $4)
    where chain_code = $1`,
}
const NOTE_PROBLEM: Statement = {
  name: 'chain_holdings_note_problem',
  text: `update chain_holdings set problem = $2, problem_since = coalesce(problem_since, statement_timestamp()),
      next_count_at = statement_timestamp() + make_interval(secs => $3)
    where chain_code = $1`,
}
const LIST: Statement = {
  name: 'chain_holdings_list',
  text: `select chain_code as code, counted_at as "countedAt", report, findings_since as "findingsSince", problem, problem_since as "problemSince"
    from chain_holdings`,
}

/** A transfer away from an address of a payment; below zero what it was given to pay the network with. Addresses in lower case. */
export interface Departure {
  readonly txHash: string
  readonly ordinal: number
  readonly currencyCode: string
  readonly amount: Amount
  readonly address: string
  readonly reference: string
  /** Undefined for what the network took. */
  readonly toAddress: string | undefined
  readonly blockNumber: number
}

/** Keeps what left; one that is known moves to the block that it is in now. */
export async function upsertDepartures(
  tx: Tx,
  code: string,
  departures: readonly Departure[],
): Promise<void> {
  if (departures.length === 0) return
  await tx.rows(UPSERT_DEPARTURES, [
    code,
    departures.map(({ txHash }) => txHash.slice(2)),
    departures.map(({ ordinal }) => ordinal),
    departures.map(({ currencyCode }) => currencyCode),
    departures.map(({ amount }) => amount),
    departures.map(({ address }) => address),
    departures.map(({ reference }) => reference),
    departures.map(({ toAddress }) => toAddress ?? null),
    departures.map(({ blockNumber }) => blockNumber),
  ])
}

/** What lies behind a block is read again. */
export async function removeDepartures(tx: Tx, code: string, blockNumber: number): Promise<void> {
  await tx.rows(REMOVE_DEPARTURES, [code, blockNumber])
}

/** What an address of a payment should have of a currency. */
export interface HeldAtAddress {
  /** In lower case. */
  readonly address: string
  readonly reference: string
  readonly currencyCode: string
  /** Below zero where more left than came. */
  readonly amount: Amount
}

/** By what came and left up to a block; where that is nothing, it is left out. */
export async function listHeld(tx: Tx, code: string, blockNumber: number): Promise<readonly HeldAtAddress[]> {
  const rows = await tx.rows<Omit<HeldAtAddress, 'amount'> & { amount: string }>(LIST_HELD, [
    code,
    blockNumber,
  ])
  return rows.map((row) => ({ ...row, amount: parsePlainAmount(row.amount) }))
}

/** The same of some addresses and one currency; those that nothing came to are left out. */
export async function listHeldBy(
  tx: Tx,
  code: string,
  given: {
    readonly blockNumber: number
    readonly currencyCode: string
    /** In lower case. */
    readonly addresses: readonly string[]
  },
): Promise<readonly Pick<HeldAtAddress, 'address' | 'amount'>[]> {
  const rows = await tx.rows<{ address: string; amount: string }>(LIST_HELD_BY, [
    code,
    given.blockNumber,
    given.currencyCode,
    given.addresses,
  ])
  return rows.map(({ address, amount }) => ({ address, amount: parsePlainAmount(amount) }))
}

interface SumRow {
  readonly currencyCode: string
  readonly booked: string
  readonly waiting: string
  readonly swept: string
}

/** What our rows say of each currency up to a block. @param home where coins may go to, in lower case */
export async function sumHoldings(
  tx: Tx,
  code: string,
  { blockNumber, home }: { readonly blockNumber: number; readonly home: readonly string[] },
): Promise<ReadonlyMap<string, Readonly<Record<'booked' | 'waiting' | 'swept', Amount>>>> {
  const rows = await tx.rows<SumRow>(SUM, [code, blockNumber, home])
  return new Map(
    rows.map(({ currencyCode, booked, waiting, swept }) => [
      currencyCode,
      {
        booked: parsePlainAmount(booked),
        waiting: parsePlainAmount(waiting),
        swept: parsePlainAmount(swept),
      },
    ]),
  )
}

/** What left for where nobody said that it may go, the newest first. @param home where coins may go to, in lower case */
export async function listStrayed(
  tx: Tx,
  code: string,
  given: { readonly blockNumber: number; readonly home: readonly string[]; readonly limit: number },
): Promise<
  readonly (Pick<Departure, 'txHash' | 'currencyCode' | 'reference'> & {
    readonly toAddress: string
    readonly amount: string
  })[]
> {
  return tx.rows(LIST_STRAYED, [code, given.blockNumber, given.home, given.limit])
}

/** Whether a count is due; the first one is. */
export async function isCountDue(tx: Tx, code: string): Promise<boolean> {
  return (await tx.rows(IS_DUE, [code])).length > 0
}

/** Has the next look count. */
export async function askForCount(tx: Tx, code: string): Promise<void> {
  await tx.rows(ASK, [code])
}

/** Keeps a count in place of the one before. */
export async function keepHoldings(
  tx: Tx,
  code: string,
  { holdings, nextSeconds }: { readonly holdings: Holdings; readonly nextSeconds: number },
): Promise<void> {
  const hasFindings = holdings.findings.length > 0
  await tx.rows(KEEP, [code, JSON.stringify(holdings), hasFindings, nextSeconds])
}

/** Notes why a count came to nothing; what was counted before stays. */
export async function noteCountProblem(
  tx: Tx,
  code: string,
  { message, nextSeconds }: { readonly message: string; readonly nextSeconds: number },
): Promise<void> {
  await tx.rows(NOTE_PROBLEM, [code, message, nextSeconds])
}

interface HoldingsRow {
  readonly code: string
  readonly countedAt: Date | null
  readonly report: Holdings | null
  readonly findingsSince: Date | null
  readonly problem: string | null
  readonly problemSince: Date | null
}

/** The latest counts by chain. */
export async function listHoldings(tx: Tx): Promise<ReadonlyMap<string, KeptHoldings>> {
  const rows = await tx.rows<HoldingsRow>(LIST, [])
  return new Map(
    rows.map(({ code, countedAt, report, findingsSince, problem, problemSince }) => [
      code,
      {
        counted: countedAt === null || report === null ? undefined : { at: countedAt, holdings: report },
        findingsSince: findingsSince ?? undefined,
        problem:
          problem === null || problemSince === null ? undefined : { message: problem, since: problemSince },
      },
    ]),
  )
}

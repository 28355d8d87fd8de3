import { openSession } from '@tollgate/testkit'
import type { Statement, Tx } from '../../../apps/gateway/src/platform/database.ts'

/** A node of a plan as EXPLAIN (ANALYZE, FORMAT JSON) has it. */
interface Node {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Name'?: string
  readonly 'Actual Rows'?: number
  readonly 'Actual Loops'?: number
  readonly 'Rows Removed by Filter'?: number
  readonly Plans?: readonly Node[]
}

/** What a plan may read and sort at most. */
export interface PlanLimits {
  readonly sortedRowsMax: number
  /** Rows of payments, or entries of an index for a bitmap, that were read and did not fit. */
  readonly filteredRowsMax: number
}

/** A session that plans as the product's sessions do, and explains each statement that it runs. */
interface Explainer {
  readonly tx: Tx
  /** What is wrong with the plans of the statements of the work. */
  faultsOf(work: (tx: Tx) => Promise<unknown>, limits: PlanLimits): Promise<readonly string[]>
  /** Does it as if there were no such index: payments are locked until it is done. */
  without<Result>(index: string, work: () => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

type Explained = readonly { readonly Plan: Node }[]

const isExplained = (value: unknown): value is Explained =>
  Array.isArray(value) &&
  value.every((each: unknown) => typeof each === 'object' && each !== null && 'Plan' in each)

function plansIn(value: unknown): readonly Node[] {
  if (!isExplained(value)) throw new Error('EXPLAIN gave no plan')
  return value.map(({ Plan }) => Plan)
}

export async function openExplainer(url: string): Promise<Explainer> {
  const session = await openSession(url)
  await session.run("set plan_cache_mode = force_custom_plan; set random_page_cost = '1.1'")
  let plans: Node[] = []
  const tx: Tx = {
    // The rows themselves are not needed.
    async rows({ text }: Statement, values: readonly unknown[]) {
      const explained = await session.run(`explain (analyze, timing off, format json) ${text}`, values)
      plans.push(...explained.flatMap((row) => plansIn(row['QUERY PLAN'])))
      return []
    },
  }
  return {
    tx,
    async faultsOf(work, limits) {
      plans = []
      await work(tx)
      if (plans.length === 0) return ['no statement was run']
      return plans.flatMap((plan) => faultsIn(plan, limits))
    },
    async without(index, work) {
      await session.run(`begin; drop index "${index}"`)
      try {
        return await work()
      } finally {
        await session.run('rollback')
      }
    },
    close: () => session.close(),
  }
}

function faultsIn(node: Node, limits: PlanLimits): readonly string[] {
  const below = (node.Plans ?? []).flatMap((each) => faultsIn(each, limits))
  const isOnPayments = node['Relation Name'] === 'payments'
  const type = node['Node Type']
  const faults: string[] = []
  if (type === 'Seq Scan' && isOnPayments) faults.push('reads payments through')
  const sorted = /Sort$/.test(type) ? rowsOf(node.Plans?.[0]) : 0
  if (sorted > limits.sortedRowsMax) faults.push(`sorts ${sorted} rows`)
  const filtered = filteredIn(node)
  if (filtered > limits.filteredRowsMax)
    faults.push(`reads ${Math.round(filtered)} rows that do not fit, by ${node['Index Name'] ?? type}`)
  return [...faults, ...below]
}

/** Rows of payments, or entries of an index, that were read for nothing. */
function filteredIn(node: Node): number {
  // All that one index finds is read, however little fits the other conditions.
  if (node['Node Type'] === 'Bitmap Index Scan') return rowsOf(node)
  if (node['Relation Name'] !== 'payments') return 0
  return (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1)
}

const rowsOf = (node: Node | undefined): number =>
  (node?.['Actual Rows'] ?? 0) * (node?.['Actual Loops'] ?? 1)

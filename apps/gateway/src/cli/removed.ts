import { findHorizon, type RetentionClass } from '../modules/retention/index.ts'
import type { House } from './house.ts'
import { moment } from './text.ts'

/**
 * A sentence that something is not there, and that it may have been removed, if it may: what is looked for was over at
 * `overAt` at the latest, or nobody knows when.
 */
export async function orRemoved(
  { db }: Pick<House, 'db'>,
  retentionClass: RetentionClass,
  { sentence, overAt }: { readonly sentence: string; readonly overAt?: Date | undefined },
): Promise<string> {
  const until = await findHorizon(db, retentionClass)
  if (until === undefined || (overAt !== undefined && overAt >= until)) return sentence
  return `${sentence} What was over before ${moment(until)} is removed.`
}

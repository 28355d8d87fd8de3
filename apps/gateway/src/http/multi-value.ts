import { CURRENCY_CODE_PATTERN } from '@tollgate/contract'

/** What may be a currency code. */
export const CURRENCY_CODE = new RegExp(CURRENCY_CODE_PATTERN)

/**
 * The values of a multi-value query parameter, given under one or several names (specification 4.4): separated by commas,
 * each once. Values that do not match `possible` are ignored. Undefined where nothing is selected, which means all.
 */
export function selectedValues(
  given: readonly (string | undefined)[],
  possible: RegExp,
): readonly string[] | undefined {
  const values = new Set(given.flatMap((text) => text?.split(',') ?? []))
  values.delete('')
  return values.size === 0 ? undefined : [...values].filter((value) => possible.test(value))
}

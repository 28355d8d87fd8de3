import { MESSAGE_MUTANTS } from './messages.ts'
import { MONEY_MUTANTS } from './money.ts'
import type { Mutant } from './mutant.ts'
import { PEOPLE_MUTANTS } from './people.ts'
import { STANDBY_MUTANTS } from './standby.ts'

/** All there are, in the order of a run. */
export const MUTANTS: readonly Mutant[] = [
  ...MONEY_MUTANTS,
  ...MESSAGE_MUTANTS,
  ...PEOPLE_MUTANTS,
  ...STANDBY_MUTANTS,
]

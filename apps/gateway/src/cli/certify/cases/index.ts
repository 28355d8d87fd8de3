import type { Case } from '../case.ts'
import { DELIVERIES } from './deliveries.ts'
import { FORGERIES } from './forgeries.ts'
import { OUTCOMES } from './outcomes.ts'

/** The twenty cases, in the order in which they are played. */
export const CASES: readonly Case[] = [...DELIVERIES, ...OUTCOMES, ...FORGERIES]

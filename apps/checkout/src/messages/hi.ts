import { developer } from './developer.ts'
import { fields } from './hi/fields.ts'
import { life } from './hi/life.ts'
import { pay } from './hi/pay.ts'
import { results } from './hi/results.ts'
import { start } from './hi/start.ts'

/** Hindi. */
export const hi = { ...start, ...fields, ...pay, ...life, ...results, ...developer } as const

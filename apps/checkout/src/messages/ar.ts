import { fields } from './ar/fields.ts'
import { life } from './ar/life.ts'
import { pay } from './ar/pay.ts'
import { results } from './ar/results.ts'
import { start } from './ar/start.ts'
import { developer } from './developer.ts'

/** Arabic. */
export const ar = { ...start, ...fields, ...pay, ...life, ...results, ...developer } as const

import { developer } from './developer.ts'
import { fields } from './es/fields.ts'
import { life } from './es/life.ts'
import { pay } from './es/pay.ts'
import { results } from './es/results.ts'
import { start } from './es/start.ts'

/** Spanish. Each part has exactly the keys of the English one, or does not compile. */
export const es = { ...start, ...fields, ...pay, ...life, ...results, ...developer } as const

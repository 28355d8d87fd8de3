import { developer } from './developer.ts'
import { fields } from './fr/fields.ts'
import { life } from './fr/life.ts'
import { pay } from './fr/pay.ts'
import { results } from './fr/results.ts'
import { start } from './fr/start.ts'

/** French. Each part has exactly the keys of the English one, or does not compile. */
export const fr = { ...start, ...fields, ...pay, ...life, ...results, ...developer } as const

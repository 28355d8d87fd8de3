import { fields } from './de/fields.ts'
import { life } from './de/life.ts'
import { pay } from './de/pay.ts'
import { results } from './de/results.ts'
import { start } from './de/start.ts'
import { developer } from './developer.ts'

/** German. Each part has exactly the keys of the English one, or does not compile. */
export const de = { ...start, ...fields, ...pay, ...life, ...results, ...developer } as const

import { developer } from './developer.ts'
import { fields } from './pl/fields.ts'
import { life } from './pl/life.ts'
import { pay } from './pl/pay.ts'
import { results } from './pl/results.ts'
import { start } from './pl/start.ts'

/** Polish. Each part has exactly the keys of the English one, or does not compile. */
export const pl = { ...start, ...fields, ...pay, ...life, ...results, ...developer } as const

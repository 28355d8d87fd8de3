import { fields } from './cs/fields.ts'
import { life } from './cs/life.ts'
import { pay } from './cs/pay.ts'
import { results } from './cs/results.ts'
import { start } from './cs/start.ts'
import { developer } from './developer.ts'

/** Czech. Each part has exactly the keys of the English one, or does not compile. */
export const cs = { ...start, ...fields, ...pay, ...life, ...results, ...developer } as const

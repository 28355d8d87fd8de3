import { developer } from './developer.ts'
import { end } from './es/end.ts'
import { fields } from './es/fields.ts'
import { life } from './es/life.ts'
import { pay } from './es/pay.ts'
import { start } from './es/start.ts'

/** Spanish. Each part has exactly the keys of the English one, or does not compile. */
export const es = { ...start, ...fields, ...pay, ...life, ...end, ...developer } as const

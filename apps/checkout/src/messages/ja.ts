import { developer } from './developer.ts'
import { fields } from './ja/fields.ts'
import { life } from './ja/life.ts'
import { pay } from './ja/pay.ts'
import { results } from './ja/results.ts'
import { start } from './ja/start.ts'

/** Japanese. */
export const ja = { ...start, ...fields, ...pay, ...life, ...results, ...developer } as const

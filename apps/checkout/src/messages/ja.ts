import { developer } from './developer.ts'
import { end } from './ja/end.ts'
import { fields } from './ja/fields.ts'
import { life } from './ja/life.ts'
import { pay } from './ja/pay.ts'
import { start } from './ja/start.ts'

/** Japanese. */
export const ja = { ...start, ...fields, ...pay, ...life, ...end, ...developer } as const

import { developer } from './developer.ts'
import { fields } from './en/fields.ts'
import { life } from './en/life.ts'
import { pay } from './en/pay.ts'
import { results } from './en/results.ts'
import { start } from './en/start.ts'

/** English: the source of the keys. What is missing in another language, or is there too much, does not compile. */
export const en = { ...start, ...fields, ...pay, ...life, ...results, ...developer } as const

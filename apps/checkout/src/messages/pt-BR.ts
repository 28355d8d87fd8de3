import { developer } from './developer.ts'
import { fields } from './pt-BR/fields.ts'
import { life } from './pt-BR/life.ts'
import { pay } from './pt-BR/pay.ts'
import { results } from './pt-BR/results.ts'
import { start } from './pt-BR/start.ts'

/** Brazilian Portuguese. Each part has exactly the keys of the English one, or does not compile. */
export const ptBR = { ...start, ...fields, ...pay, ...life, ...results, ...developer } as const

// Also part of the browser's script: nothing of Node here.
import type { Message, MessageArgs } from './message.ts'

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/
const ISOLATE = '\u2068'
const ISOLATE_END = '\u2069'

/** The form of the message that `count` asks for in this language. */
function pluralForm(language: string, message: Message, count: number): string {
  if (typeof message === 'string') return message
  return message[new Intl.PluralRules(language).select(count)] ?? message.other
}

/**
 * The message with its arguments in place. Where directions may mix (a right-to-left text, or a right-to-left argument),
 * arguments are isolated by invisible marks: such a text is to be shown, never to be copied as a value.
 * A placeholder without an argument stays as it is, so that it is seen.
 */
export function interpolate(language: string, message: Message, args: MessageArgs): string {
  const count = args['count']
  const text = pluralForm(language, message, typeof count === 'number' ? count : 0)
  const mixes = RIGHT_TO_LEFT.test(text)
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const arg = args[name]
    if (arg === undefined) return placeholder
    const value = typeof arg === 'number' ? new Intl.NumberFormat(language).format(arg) : arg
    return mixes || RIGHT_TO_LEFT.test(value) ? ISOLATE + value + ISOLATE_END : value
  })
}

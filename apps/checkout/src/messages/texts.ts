import { interpolate } from './interpolate.ts'
import { directionOf, type Language } from './languages.ts'
import type { Message, MessageArgs } from './message.ts'
import { MESSAGES, type MessageKey } from './records.ts'

/** The texts of one language. */
export interface Texts {
  readonly language: Language
  readonly direction: 'ltr' | 'rtl'
  /**
   * The text with its arguments, as plain text: escaping is the renderer's. `count` chooses the plural form. Arguments
   * of mixed direction are isolated by invisible marks, so what is to be copied goes beside the text, not through it.
   */
  say(key: MessageKey, args?: MessageArgs): string
  /** The text as JSON with its placeholders and plural forms, for attributes that the browser's script fills in. */
  template(key: MessageKey): string
}

/** The texts of a language, for the whole life of the process. */
export function createTexts(language: Language): Texts {
  const messages: Readonly<Record<MessageKey, Message>> = MESSAGES[language]
  return {
    language,
    direction: directionOf(language),
    say: (key, args = {}) => interpolate(language, messages[key], args),
    template: (key) => JSON.stringify(messages[key]),
  }
}

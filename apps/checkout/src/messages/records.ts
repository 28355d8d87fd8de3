import { ar } from './ar.ts'
import { en } from './en.ts'
import { hi } from './hi.ts'
import { ja } from './ja.ts'
import type { Language } from './languages.ts'
import type { Message } from './message.ts'

/** Names one text of the page; English is the source. */
export type MessageKey = keyof typeof en

/** All texts of one language. */
export type Messages = Readonly<Record<MessageKey, Message>>

/** Every text in every language. */
export const MESSAGES: Readonly<Record<Language, Messages>> = {
  en,
  de: en,
  fr: en,
  es: en,
  'pt-BR': en,
  cs: en,
  pl: en,
  hi,
  ar,
  ja,
}

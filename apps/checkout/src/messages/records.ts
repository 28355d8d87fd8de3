import { ar } from './ar.ts'
import { cs } from './cs.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { hi } from './hi.ts'
import { ja } from './ja.ts'
import type { Language } from './languages.ts'
import type { Message } from './message.ts'
import { pl } from './pl.ts'
import { ptBR } from './pt-BR.ts'

/** Names one text of the page; English is the source. */
export type MessageKey = keyof typeof en

/** All texts of one language. */
type Messages = Readonly<Record<MessageKey, Message>>

/** Every text in every language. */
export const MESSAGES: Readonly<Record<Language, Messages>> = {
  en,
  de,
  fr,
  es,
  'pt-BR': ptBR,
  cs,
  pl,
  hi,
  ar,
  ja,
}

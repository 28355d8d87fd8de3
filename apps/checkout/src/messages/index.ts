export { formatBound, formatDay, formatMoment, formatMoney, formatTime, type WrittenMoney } from './format.ts'
export {
  chooseLanguage,
  directionOf,
  isLanguage,
  LANGUAGE_NAMES,
  LANGUAGES,
  type Language,
} from './languages.ts'
export type { Message, MessageArgs, PluralForms } from './message.ts'
export { MESSAGES, type MessageKey, type Messages } from './records.ts'
export { createTexts, type Texts } from './texts.ts'

export { formatMoment, formatMoney, formatTime } from './format.ts'
export {
  chooseLanguage,
  directionOf,
  isLanguage,
  LANGUAGE_NAMES,
  LANGUAGES,
  type Language,
} from './languages.ts'
export type { Message, MessageArgs } from './message.ts'
export { MESSAGES, type MessageKey } from './records.ts'
export { createTexts, type Texts } from './texts.ts'

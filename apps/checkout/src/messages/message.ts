/** One text, or its plural forms by the category of `count` (Intl.PluralRules). `{name}` is where an argument goes. */
export type Message = string | PluralForms

/** The plural forms of one text; which of them a language needs, its rules say. */
export interface PluralForms {
  readonly zero?: string
  readonly one?: string
  readonly two?: string
  readonly few?: string
  readonly many?: string
  readonly other: string
}

/** What texts are filled with: numbers are written as the language writes them, texts stay as they are. */
export type MessageArgs = Readonly<Record<string, string | number>>

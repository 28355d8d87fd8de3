/** The languages of the page, in the order in which they are offered. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'pt-BR', 'cs', 'pl', 'hi', 'ar', 'ja'] as const

/** A BCP 47 tag, as it goes into `lang`. */
export type Language = (typeof LANGUAGES)[number]

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  cs: 'Čeština',
  pl: 'Polski',
  hi: 'हिन्दी',
  ar: 'العربية',
  ja: '日本語',
}

const FALLBACK: Language = 'en'
const HEADER_LENGTH_MAX = 500
const RANGES_MAX = 20

/** For the `dir` attribute of the page. */
export function directionOf(language: Language): 'ltr' | 'rtl' {
  return language === 'ar' ? 'rtl' : 'ltr'
}

/**
 * The language of a page: the one asked for, else the best of the browser's, else English. A variety is served by its
 * language (`de-AT` by `de`, `pt` by `pt-BR`).
 * @param acceptLanguage the header as it came
 * @param asked what the customer chose
 */
export function chooseLanguage(acceptLanguage: string | undefined, asked: string | undefined): Language {
  const wishes = [asked ?? '', ...rangesOf((acceptLanguage ?? '').slice(0, HEADER_LENGTH_MAX))]
  for (const wish of wishes) {
    const language = languageFor(wish)
    if (language !== undefined) return language
  }
  return FALLBACK
}

/** Whether this is exactly the tag of a language of the page. */
export function isLanguage(tag: unknown): tag is Language {
  return LANGUAGES.some((language) => language === tag)
}

function languageFor(tag: string): Language | undefined {
  const wanted = tag.toLowerCase()
  const primary = primaryOf(wanted)
  return (
    LANGUAGES.find((language) => language.toLowerCase() === wanted) ??
    LANGUAGES.find((language) => primaryOf(language) === primary)
  )
}

function primaryOf(tag: string): string {
  return tag.split(/[-_]/, 1)[0] ?? ''
}

/** The ranges of the header, best first; those with quality 0 are not wanted. */
function rangesOf(header: string): readonly string[] {
  return header
    .split(',', RANGES_MAX)
    .map((part) => {
      const [range = '', ...parameters] = part.split(';').map((text) => text.trim())
      const quality = parameters.find((parameter) => parameter.startsWith('q='))
      return { range, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ range, quality }) => range !== '' && quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ range }) => range)
}

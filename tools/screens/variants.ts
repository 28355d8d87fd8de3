/** A way to look at screens. */
export interface Variant {
  /** Behind the name of the picture; empty for the ordinary one. */
  readonly id: string
  readonly title: string
  readonly language: string
  /** CSS pixels. */
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  /** The names of the scenes that are looked at like this. */
  readonly scenes: readonly string[]
}

const PHONE = 390
const DESKTOP = 1280

/** How every screen is shown. */
export const ORDINARY: Variant = {
  id: '',
  title: 'On a phone',
  language: 'en',
  width: PHONE,
  colorScheme: 'light',
  scenes: [],
}

const SPOKEN = ['choose-method', 'details-faults', 'transfer-epc', 'progress', 'paid', 'expired'] as const
const PHONE_LIGHT = { width: PHONE, colorScheme: 'light', scenes: SPOKEN } as const

/** How some are shown as well. */
export const VARIANTS: readonly Variant[] = [
  {
    id: 'desktop',
    title: 'On a large screen',
    language: 'en',
    width: DESKTOP,
    colorScheme: 'light',
    scenes: ['choose-method', 'choose-bank-search', 'redirect', 'transfer-epc', 'expired', 'paid'],
  },
  {
    id: 'dark',
    title: 'Dark mode',
    language: 'en',
    width: PHONE,
    colorScheme: 'dark',
    scenes: ['choose-method', 'details-faults', 'transfer-epc', 'partial', 'paid', 'failed'],
  },
  { id: 'ar', title: 'In Arabic, from right to left', language: 'ar', ...PHONE_LIGHT },
  { id: 'de', title: 'In German', language: 'de', ...PHONE_LIGHT },
  { id: 'hi', title: 'In Hindi', language: 'hi', ...PHONE_LIGHT },
]

/** How all of them are shown for a comparison: on a phone and a desk, light, dark, and from right to left. */
export const EVERY: readonly Variant[] = [PHONE, DESKTOP].flatMap((width) =>
  [
    { language: 'en', colorScheme: 'light' },
    { language: 'en', colorScheme: 'dark' },
    { language: 'ar', colorScheme: 'light' },
  ].map(({ language, colorScheme }): Variant => {
    const isDark = colorScheme === 'dark'
    const id = [width, isDark ? 'dark' : language].join('-')
    return { id, title: id, language, width, colorScheme: isDark ? 'dark' : 'light', scenes: [] }
  }),
)

/** The file of a picture. */
export const pictureOf = (scene: string, { id }: Variant): string =>
  `${id === '' ? scene : `${scene}-${id}`}.png`

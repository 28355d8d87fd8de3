import type { ConsoleScene } from '../../acceptance/support/console-screens.ts'

interface Chapter {
  readonly title: string
  readonly scenes: readonly ConsoleScene[]
}

/** The way a screen of the console is pictured. */
export interface Look {
  readonly id: string
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
}

const DESKTOP = 1440
const PHONE = 390
const LIGHT: Look = { id: '', width: DESKTOP, colorScheme: 'light' }
const DARK: Look = { id: 'dark', width: DESKTOP, colorScheme: 'dark' }
const ON_PHONE: Look = { id: 'phone', width: PHONE, colorScheme: 'light' }

/** How a screen is pictured: light and dark, and the most important ones on a phone. */
export const looksOf = ({ onPhone }: ConsoleScene): readonly Look[] =>
  onPhone === true ? [LIGHT, DARK, ON_PHONE] : [LIGHT, DARK]

/** The file of a picture. */
export const consolePictureOf = ({ name }: ConsoleScene, { id }: Look): string =>
  `${id === '' ? name : `${name}-${id}`}.png`

/** `docs/screens/console/README.md`: every screen of the console with a sentence about it. */
export function consolePage(chapters: readonly Chapter[]): string {
  const parts = chapters.map(({ title, scenes }) => [`## ${title}`, ...scenes.map(sectionOf)].join('\n\n'))
  return `${[
    '# Every screen of the operators’ console',
    'Taken by `npm run screens:console`, which starts a sandbox with sample data and opens each screen in a browser:\n1440 px wide, light and dark. Some are shown on a phone as well. Long screens are cut.',
    ...parts,
  ].join('\n\n')}\n`
}

function sectionOf(scene: ConsoleScene): string {
  const pictures = looksOf(scene).map(
    (look) => `![${scene.name}${look.id === '' ? '' : `, ${look.id}`}](${consolePictureOf(scene, look)})`,
  )
  return `### ${scene.name}\n\n${scene.shows}\n\n${pictures.join('\n')}`
}

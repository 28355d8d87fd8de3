import { ORDINARY, pictureOf, VARIANTS, type Variant } from './variants.ts'

interface Shown {
  readonly name: string
  readonly shows: string
}

/** A part of the gallery under a heading. */
export interface Chapter {
  readonly title: string
  readonly scenes: readonly Shown[]
}

const COLUMNS = 3

/** `docs/screens/README.md`: every screen with a sentence about it. */
export function galleryPage(chapters: readonly Chapter[]): string {
  const scenes = chapters.flatMap((chapter) => chapter.scenes)
  const variants = VARIANTS.map((variant) => {
    const shown = scenes.filter(({ name }) => variant.scenes.includes(name))
    return `## ${variant.title}\n\n${table(shown.map(({ name }) => picture(name, variant)))}`
  })
  return [
    '# Every screen of the hosted payment page',
    'Made by `npm run screens`, which starts a sandbox, brings a browser to each screen and takes its picture: on a phone of\n360 px, in light and English. Further down, some of them on a large screen, in the dark, and in other languages.\n`acceptance/hosted-page-screens.long.test.ts` looks at the same screens for what would keep somebody out.',
    ...chapters.map(
      ({ title, scenes: shown }) =>
        `## ${title}\n\n${table(shown.map(({ name, shows }) => `${picture(name, ORDINARY)}<br>**${name}**<br>${shows}`))}`,
    ),
    ...variants,
    '',
  ]
    .join('\n\n')
    .replace(/\n+$/, '\n')
}

const picture = (name: string, variant: Variant): string => `![${name}](${pictureOf(name, variant)})`

function table(cells: readonly string[]): string {
  const rows = Array.from({ length: Math.ceil(cells.length / COLUMNS) }, (_, row) =>
    Array.from({ length: COLUMNS }, (__, column) => cells[row * COLUMNS + column] ?? ''),
  )
  const line = (texts: readonly string[]): string => `| ${texts.join(' | ')} |`
  const empty = Array.from({ length: COLUMNS }, () => '')
  const rule = empty.map(() => '---')
  return [empty, rule, ...rows].map(line).join('\n')
}

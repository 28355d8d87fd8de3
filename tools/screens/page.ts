import { ORDINARY, pictureOf, VARIANTS, type Variant } from './variants.ts'

interface Shown {
  readonly name: string
  readonly shows: string
}

/** A part of the gallery under a heading. */
interface Chapter {
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
    'Taken by `npm run screens`, which starts a sandbox and opens each screen in a browser: 390 px wide, light theme, English.\nSome are repeated below on a large screen, in dark mode and in other languages.\n`acceptance/hosted-page-screens.long.test.ts` checks the accessibility of the same screens.',
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

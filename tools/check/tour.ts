import type { Finding, Tree } from './tree.ts'

const PAGE = 'docs/tour.md'
/** A file in backticks on a line of its own, and the lines of it that follow in a fence. */
const STOP = /^`([\w./-]+)`:?\n+```\w*\n([\s\S]*?)\n```$/gm
const STOPS_MIN = 10

/** What the tour shows of a file is in that file, word for word; `…` on a line of its own stands for what was left out. */
export function findWrongStops(tree: Tree): Finding[] {
  const stops = [...tree.read(PAGE).matchAll(STOP)]
  if (stops.length < STOPS_MIN)
    return [
      {
        path: PAGE,
        message: `It has ${stops.length} stops that name a file and show lines of it, not ${STOPS_MIN}.`,
      },
    ]
  return stops.flatMap(([, file = '', shown = '']) => {
    if (!tree.files.includes(file)) return [{ path: PAGE, message: `There is no ${file}.` }]
    const text = flat(tree.read(file))
    return shown
      .split(/^\s*…$/m)
      .filter((part) => !text.includes(flat(part)))
      .map((part) => ({
        path: PAGE,
        message: `${file} no longer has these lines: ${part.trim().split('\n')[0]}`,
      }))
  })
}

/** How far lines are moved in does not matter: the tour shows them at the margin. */
const flat = (text: string): string => text.replace(/\s+/g, ' ').trim()

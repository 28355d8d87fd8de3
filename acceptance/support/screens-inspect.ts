/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axeCore from 'axe-core'
import { type Tab, unfold } from './screens-scene.ts'

/** One way to look at a screen. */
interface Look {
  /** CSS pixels. */
  readonly width: number
  readonly colorScheme: 'light' | 'dark'
  /** With everything open that can be folded. */
  readonly isUnfolded: boolean
}

/**
 * On an ordinary phone, and unfolded on the smallest one and on a large screen; each drawing of a page anew takes time.
 * Colours are the same at every width.
 */
const LOOKS: readonly Look[] = [
  { width: 360, colorScheme: 'light', isUnfolded: false },
  { width: 320, colorScheme: 'light', isUnfolded: true },
  { width: 1280, colorScheme: 'light', isUnfolded: true },
  { width: 1280, colorScheme: 'dark', isUnfolded: true },
]

/** For a screen that has been looked at in another language: the smallest and the largest, where things move. */
export const FEWER_LOOKS: readonly Look[] = [
  { width: 320, colorScheme: 'light', isUnfolded: true },
  { width: 1280, colorScheme: 'dark', isUnfolded: true },
]

/** CSS pixels; so tall that what keeps to an edge of the window lies over nothing: customers scroll it free. */
const HEIGHT = 1000
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** In the browser, put there by `inspect`. */
declare const axe: typeof axeCore

/** What is wrong with the screen in front: for people who do not see it, who see it small, and who point badly. */
export async function inspect(tab: Tab, looks = LOOKS): Promise<readonly string[]> {
  const problems = new Map<string, string[]>()
  // As a text: the page itself allows no script but its own.
  await tab.evaluate(AXE)
  for (const look of looks) {
    const { width, colorScheme, isUnfolded } = look
    if (tab.viewportSize()?.width !== width) await tab.setViewportSize({ width, height: HEIGHT })
    await tab.emulateMedia({ colorScheme })
    if (isUnfolded) await unfold(tab, 'details')
    for (const problem of await lookAt(tab, look))
      problems.set(problem, [...(problems.get(problem) ?? []), `${width} px ${colorScheme}`])
  }
  return [...problems].map(([problem, where]) => `${problem} (${where.join(', ')})`)
}

/** In the dark only the colours are others: all else was seen in the light. */
async function lookAt(tab: Tab, { colorScheme, isUnfolded }: Look): Promise<readonly string[]> {
  if (colorScheme === 'dark') return tab.evaluate(runAxe, COLOUR_RULES)
  const found = [await tab.evaluate(pageProblems), await tab.evaluate(targetProblems)]
  // Folded, there is nothing to read that is not there unfolded as well: only sizes and places are others.
  return isUnfolded ? [...found.flat(), ...(await tab.evaluate(runAxe, TAGS))] : found.flat()
}

/** How many CSS pixels the screen in front is wider than the browser. */
export async function overflowAt(tab: Tab, width: number): Promise<number> {
  await tab.setViewportSize({ width, height: HEIGHT })
  return tab.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
}

/** The smallest phone that is still around, in CSS pixels. */
const SMALLEST = { width: 320, height: 568 }

/** What a customer asks a screen in the first seconds, and what answers it. */
const ANSWERS = {
  'how much': '.bar__sum',
  'to whom': '.bar__name',
  'what is the matter': 'h1',
  'what to do': 'main :is(.button, button, input:not([type="hidden"]), select)',
} as const
export type Question = keyof typeof ANSWERS

/** The questions that the smallest phone does not answer before anybody scrolls. */
export async function missedAtFirst(tab: Tab, questions: readonly Question[]): Promise<readonly string[]> {
  await tab.setViewportSize(SMALLEST)
  await tab.evaluate(() => window.scrollTo(0, 0))
  return tab.evaluate(
    unanswered,
    questions.map((question) => [question, ANSWERS[question]]),
  )
}

// What follows runs in the browser: it may use nothing from around it.

/** Answered is what is seen by half at least; a screen without anything to press has said all with its heading. */
function unanswered(questions: (readonly [string, string])[]): string[] {
  return questions.flatMap(([question, selector]) => {
    const boxes = [...document.querySelectorAll(selector)].flatMap((each) => {
      const box = each.getBoundingClientRect()
      return each.checkVisibility() && box.height > 1 ? [box] : []
    })
    const [first] = boxes
    if (first === undefined) return question === 'what to do' ? [] : [`${question}: nothing says it`]
    const isSeen = boxes.some(({ top, bottom }) => top >= 0 && (top + bottom) / 2 <= window.innerHeight)
    return isSeen ? [] : [`${question}: only ${Math.round(first.bottom)} px down`]
  })
}

async function runAxe(tags: string[]): Promise<string[]> {
  const { violations } = await axe.run(document, { runOnly: tags, resultTypes: ['violations'] })
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, any, all, none }) => {
      const why = [...any, ...all, ...none].map(({ message }) => message).join(' ')
      return `${id}: ${html.slice(0, 160)} ${why}`
    }),
  )
}

function pageProblems(): string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  const headings = document.querySelectorAll('h1').length
  const copied = [...document.querySelectorAll('[data-copy]')].map(
    (each) => each.getAttribute('data-copy') ?? '',
  )
  return [
    ...(scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide`] : []),
    ...(headings === 1 ? [] : [`${headings} main headings`]),
    ...(document.title.trim() === '' ? ['no title'] : []),
    ...copied
      .filter((text) => /[\u200e\u200f\u2066-\u2069]/.test(text))
      .map((text) => `copied with marks: ${text}`),
  ]
}

function targetProblems(): string[] {
  const TARGET_MIN = 24
  const MAIN_MIN = 44
  const isInText = (element: Element): boolean =>
    getComputedStyle(element).display === 'inline' &&
    (element.parentElement?.textContent.trim().length ?? 0) > element.textContent.trim().length
  // What only shows itself when it has the focus is not pointed at.
  const isPointedAt = (element: Element): boolean =>
    element.checkVisibility({ visibilityProperty: true }) && getComputedStyle(element).clipPath === 'none'
  const targets = document.querySelectorAll('a[href], button, input, select, textarea, summary')
  return [...targets]
    .filter((element) => isPointedAt(element) && !isInText(element))
    .flatMap((element) => {
      const { width, height } = (element.closest('label') ?? element).getBoundingClientRect()
      const name = element.outerHTML.slice(0, 100)
      const isSmall = Math.min(width, height) < TARGET_MIN
      const isLow = element.matches('.button') && height < MAIN_MIN
      return isSmall || isLow ? [`${width} x ${height} px is too small: ${name}`] : []
    })
}
